import { userIdOf, type Actor } from '../../access/actor'
import type { BuildWarning } from '../../contract/files/facts'
import { AppError } from '../../core/errors'
import { resolveReleaseVersion, type Versioned } from '../../core/versions'
import type { Transaction } from '../../data/library/library'
import { buildWarnings, type Build } from '../projects/build-warnings'
import type { NewLink } from '../projects/link-store'
import { projectPolicy } from '../projects/policy'
import type { Signal } from '../../core/signal'
import type { ProjectEvent } from '../projects/project-events'
import type { ProjectStore } from '../projects/project-store'
import type { PackageSummary } from '../../data/records/file-records'

/** The fields of a link as entered. Empty texts count as missing. */
export interface Entered {
  version?: string | null | undefined
  platform?: string | null | undefined
  /**
   * The channel of a release that the file begins. Throws `invalid_input` if the release is on
   * another channel.
   */
  channel?: string | null | undefined
  /** Whether to throw `build_mismatch` instead of returning warnings. */
  strict?: boolean | undefined
}

/** The fields of a file that its links depend on. */
interface Linkable extends Versioned {
  id: string
  facts?: PackageSummary | null | undefined
}

/** Adds an actor's files to a project. */
export interface Linking {
  projectId: string
  /** The project's owner, who owns and pays for all its files. */
  ownerId: string
  /**
   * Links a file in the caller's transaction and compares it with earlier builds. With a version,
   * the file joins its release.
   */
  link: (tx: Transaction, file: Linkable, entered: Entered) => BuildWarning[]
}

interface Deps {
  projects: ProjectStore
  events: Signal<ProjectEvent>
  fileOf: (id: string) => Linkable | undefined
  now: () => Date
}

/**
 * Checks that the actor may link files to a project. The result links in the transaction of an
 * upload. Throws `not_found` or `forbidden`.
 */
export function linkingTo(deps: Deps): (actor: Actor, idOrSlug: string) => Linking {
  const { projects, events } = deps
  return (actor, idOrSlug) => {
    const { id, ownerId } = projectPolicy.require(actor, 'link', projects.find(idOrSlug))

    const userId = userIdOf(actor)
    const addedBy = userId === ownerId ? undefined : userId

    const link: Linking['link'] = (tx, file, entered) => {
      const warnings = findWarnings(deps, id, file, entered)

      if (entered.strict && warnings.length > 0) {
        throw new AppError(
          'build_mismatch',
          warnings.map(({ message }) => message).join(' '),
          'file',
        )
      }

      const linked = projects.link(tx, id, { ...newLink(file, entered), addedBy })
      tx.after(() => events.emit({ kind: 'file', project: linked, userId, subjectId: file.id }))
      return warnings
    }

    return { projectId: id, ownerId, link }
  }
}

/**
 * Returns the warnings that a file would have in a project, before it is there; without a project
 * that the actor may add it to, those of the build alone.
 */
export function foreseeWarnings(
  deps: Deps,
  actor: Actor,
  file: Linkable,
  { project: idOrSlug, version }: { project?: string | undefined; version?: string | undefined },
): BuildWarning[] {
  const project = idOrSlug === undefined ? undefined : deps.projects.find(idOrSlug)
  const mayLink = project && projectPolicy.abilities(actor, project).includes('link')
  return findWarnings(deps, mayLink ? project.id : undefined, file, { version })
}

function findWarnings(
  { projects, fileOf, now }: Deps,
  projectId: string | undefined,
  file: Linkable,
  { version }: Entered,
): BuildWarning[] {
  const build = toBuild(file, version)
  if (!build) return []

  const links = projectId === undefined ? [] : projects.links.ofProject(projectId)
  const earlier = links
    .filter(({ fileId }) => fileId !== file.id)
    .map((link) => toBuild(fileOf(link.fileId), link.version))
    .filter((it) => it !== undefined)
  return buildWarnings(build, earlier, now())
}

/** Returns undefined for files that are not packages. */
function toBuild(
  file: Linkable | undefined,
  entered: string | null | undefined,
): Build | undefined {
  const facts = file?.facts
  return facts ? { facts, version: entered || (file.version ?? facts.version ?? null) } : undefined
}

function newLink(file: Linkable, entered: Entered): Omit<NewLink, 'addedBy'> {
  const version = entered.version || null
  const platform = entered.platform || null
  const channel = entered.channel || undefined

  return {
    fileId: file.id,
    version,
    platform,
    channel,
    releaseVersion: resolveReleaseVersion(version, file),
  }
}

/**
 * Adds an invited account as a collaborator, in the transaction that creates it. Skips a deleted
 * project.
 */
export function joiningTo(projects: ProjectStore, events: Signal<ProjectEvent>) {
  return (tx: Transaction, projectId: string, userId: string, invitedBy: string): void => {
    if (!projects.find(projectId)) return
    const project = projects.addCollaborator(tx, projectId, userId)
    tx.after(() => events.emit({ kind: 'person', project, userId: invitedBy, subjectId: userId }))
  }
}
