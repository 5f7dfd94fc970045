import { accountOf, isBoundElsewhere, isUser, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import { REPORT_FILE_DAYS, REPORT_ROOM, type Project } from '../../contract'
import type { Reporters } from '../../contract/report-schemas'
import { isMember, type ProjectRecord } from '../../data/records/project-records'

const owns = (actor: Actor, project: ProjectRecord) =>
  isUser(actor, project.ownerId) && !isBoundElsewhere(actor, project.id)

function worksOn(actor: Actor, project: ProjectRecord) {
  const userId = accountOf(actor)
  return userId !== undefined && isMember(project, userId) && !isBoundElsewhere(actor, project.id)
}

function releases(actor: Actor, project: ProjectRecord) {
  const userId = accountOf(actor)
  const isMaintainer = userId !== undefined && project.maintainerIds?.includes(userId) === true
  return owns(actor, project) || (isMaintainer && !isBoundElsewhere(actor, project.id))
}

const tests = (actor: Actor, project: ProjectRecord) =>
  actor.kind === 'tester' && actor.projectId === project.id

/**
 * Public projects: readable by everyone. Private ones: by members and testers. Maintainers add and
 * remove files and change releases; everything else is for the owner.
 */
export const projectPolicy = definePolicy<ProjectRecord>()(
  'Project',
  {
    read: (actor, project) => project.isPublic || worksOn(actor, project) || tests(actor, project),
    update: owns,
    delete: owns,
    link: releases,
    unlink: releases,
    collaborate: owns,
    post: owns,
    testers: worksOn,
    reports: worksOn,
    webhooks: owns,
  },
  {
    link: 'change the files of this project',
    unlink: 'remove files from this project',
    collaborate: 'change the collaborators of this project',
    post: 'post updates to this project',
    testers: 'manage the tester links of this project',
    reports: 'read the reports of this project',
    webhooks: 'manage the webhooks of this project',
  },
)

/** Returns the actor's role in the project. */
export function resolveRole(actor: Actor, project: ProjectRecord): Project['role'] {
  if (!worksOn(actor, project)) return null
  if (isUser(actor, project.ownerId)) return 'owner'
  return releases(actor, project) ? 'maintainer' : 'collaborator'
}

/** Who may report on a project, the bytes of its reports, and the days of files of closed ones. */
export const reportChoicesOf = ({
  reports,
}: Pick<ProjectRecord, 'reports'>): {
  reporters: Reporters
  room: number
  fileDays: number | null
} => {
  const { reporters = 'testers', room = REPORT_ROOM, fileDays } = reports ?? {}
  return { reporters, room, fileDays: fileDays === undefined ? REPORT_FILE_DAYS.usual : fileDays }
}

/** Whether an audience may report: visitors only where the owner lets everyone. */
export function takesReports(project: ProjectRecord, isTester: boolean): boolean {
  const { reporters } = reportChoicesOf(project)
  return isTester ? reporters !== 'off' : reporters === 'everyone' && project.isPublic
}
