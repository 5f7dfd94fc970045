import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import { AppError, notFound } from '../../core/errors'
import type { Library, Transaction } from '../../data/library/library'
import type { UserRecord } from '../../data/records/account-records'
import type { FileRecord } from '../../data/records/file-records'
import {
  notesBytes,
  pictureBytes,
  textBytes,
  type ProjectRecord,
} from '../../data/records/project-records'
import type { TrashRecord } from '../../data/records/trash-record'

interface Deps {
  library: Library
  users: { byName(username: string): UserRecord | undefined }
  files: Pick<Files, 'store' | 'shareLinks' | 'quota' | 'trash'>
  projects: Projects
}

/** A project, and the collaborator who takes it over. */
interface HandOver {
  project: ProjectRecord
  to: UserRecord
}

/** By id of the project. */
export type HandOvers = ReadonlyMap<string, HandOver>

/** The records of a project, besides its links, files and posts, that name its owner. */
const OWNED = [
  'releases',
  'testers',
  'accessRequests',
  'webhooks',
  'webhookDeliveries',
  'watches',
  'reports',
] as const

/**
 * Finds the projects that collaborators take over. Throws `not_found` for a project that is not the
 * user's, and for a person who is no collaborator of it.
 */
export function findHandOvers(
  { users, projects: { store } }: Pick<Deps, 'users' | 'projects'>,
  userId: string,
  wanted: readonly { project_id: string; username: string }[],
): HandOvers {
  return new Map(
    wanted.map(({ project_id: id, username }) => {
      const project = store.find(id)
      if (project?.ownerId !== userId) throw notFound('Project')
      const to = users.byName(username)
      if (!to || to.disabledAt !== null || !project.collaboratorIds.includes(to.id))
        throw notFound('Collaborator')
      return [project.id, { project, to }]
    }),
  )
}

/**
 * Gives projects to their new owners, with their files and their items in the trash. Files
 * lose their share links, which the former owner made. Returns the ids of the files. Throws
 * `invalid_input` if two people would get one file, `quota_exceeded` and `too_many_records`.
 */
export function handOver(
  deps: Deps,
  tx: Transaction,
  { userId, handOvers }: { userId: string; handOvers: HandOvers },
): ReadonlySet<string> {
  const { library, files, projects } = deps
  const { store } = projects
  const ownerOf = findOwners(deps, userId, handOvers)
  requireRoom(deps, handOvers, ownerOf)

  for (const { project, to } of handOvers.values()) store.handOver(tx, project.id, to.id)

  for (const name of OWNED) {
    const collection = library.collection(name)
    for (const record of [...collection.values()]) {
      const to = handOvers.get(record.projectId)?.to
      if (to) tx.put<object>(collection, record.id, { ...record, ownerId: to.id })
    }
  }

  for (const [file, ownerId] of ownerOf) {
    files.store.put(tx, { ...file, ownerId, received: undefined })
    files.shareLinks.forgetTarget(tx, file.id)
  }

  for (const record of files.trash.ownedBy(userId)) {
    const to = findProject(deps, record, handOvers)?.to
    const isTheirs = (projectId: string) => handOvers.get(projectId)?.to.id === to?.id
    if (to) files.trash.handOver(tx, ownedBy(record, to.id, isTheirs))
    else files.trash.keepWithAccount(tx, record)
  }

  return new Set([...ownerOf.keys()].map(({ id }) => id))
}

/** Returns the new owner of each file. Throws `invalid_input` if a file would have two. */
function findOwners(
  { files, projects }: Deps,
  userId: string,
  handOvers: HandOvers,
): Map<FileRecord, string> {
  const first = new Map<FileRecord, HandOver>()

  for (const given of handOvers.values()) {
    for (const { fileId } of projects.store.links.ofProject(given.project.id)) {
      const file = files.store.find(fileId)
      if (file?.ownerId !== userId) continue

      const other = first.get(file)
      if (other && other.to.id !== given.to.id) {
        throw new AppError(
          'invalid_input',
          `${other.project.title} and ${given.project.title} share the file ${file.filename}, ` +
            'which can have only one owner. Hand both over to the same person',
          'hand_over',
        )
      }
      first.set(file, given)
    }
  }

  return new Map([...first].map(([file, { to }]) => [file, to.id]))
}

/** Throws unless each new owner has room for all that they get. */
function requireRoom(
  { files: { quota }, projects: { store, reports, accessRequests } }: Deps,
  handOvers: HandOvers,
  ownerOf: ReadonlyMap<FileRecord, string>,
): void {
  for (const [to, given] of Map.groupBy(handOvers.values(), (it) => it.to)) {
    const texts = given.map(({ project }) => {
      const notes = store.releases.ofProject(project.id).map(notesBytes)
      return sum([
        textBytes(project),
        pictureBytes(project),
        reports.bytesOfProject(project.id),
        accessRequests.bytesOfProject(project.id),
        ...notes,
      ])
    })

    const sizes = [...ownerOf].flatMap(([{ size }, ownerId]) => (ownerId === to.id ? [size] : []))
    if (!quota.fits(to.id, sum(sizes) + sum(texts))) {
      throw new AppError(
        'quota_exceeded',
        `${to.username} does not have enough storage for ${titlesOf(given)}. Delete files of it ` +
          'first, choose another person, or ask the host for a larger tier for them',
        'hand_over',
      )
    }

    try {
      store.requireRoom(to.id, given.length)
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      throw new AppError(
        'too_many_records',
        `${to.username} already has as many projects as this host allows, so they cannot take ` +
          titlesOf(given),
        'hand_over',
      )
    }
  }
}

/** Finds the project that a deleted item goes with. */
function findProject(
  { projects: { store } }: Deps,
  record: TrashRecord,
  handOvers: HandOvers,
): HandOver | undefined {
  if (record.kind === 'project') return undefined
  if (record.kind === 'picture') return handOvers.get(record.value.projectId)
  if (record.kind === 'release') return handOvers.get(record.value.release.projectId)

  const links = record.value.links.concat(store.links.ofFile(record.id))
  const projectId = links.map((link) => link.projectId).find((id) => handOvers.has(id))
  return handOvers.get(projectId ?? '')
}

/** Gives a deleted item to an account, without links to projects that are not theirs. */
function ownedBy(
  record: TrashRecord,
  ownerId: string,
  isTheirs: (projectId: string) => boolean,
): TrashRecord {
  if (record.kind === 'file') {
    const { file, ...value } = record.value
    const links = value.links.filter(({ projectId }) => isTheirs(projectId))
    const releases = value.releases.filter(({ projectId }) => isTheirs(projectId))
    return {
      ...record,
      ownerId,
      value: { file: { ...file, ownerId }, links, releases: releases.map(giveTo(ownerId)) },
    }
  }
  if (record.kind === 'release') {
    const { files, release, links } = record.value
    const value = { links, release: { ...release, ownerId }, files: files.map(giveTo(ownerId)) }
    return { ...record, ownerId, value }
  }
  return { ...record, ownerId }
}

const giveTo =
  (ownerId: string) =>
  <T extends { ownerId: string }>(record: T): T => ({ ...record, ownerId })

const titlesOf = (given: readonly HandOver[]) =>
  given.map(({ project: { title } }) => title).join(', ')

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
