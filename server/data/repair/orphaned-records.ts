import { collectionNames } from '../library/library-data'
import type { CollectionName, RecordOf } from '../records/records'
import { fileIdsIn } from '../records/trash-record'
import { nameOf } from './dropped'
import type { Records } from './records'

/** A collection, and the id of the record there that another one needs; null: it needs none. */
type Need = readonly [CollectionName, string | null | undefined]

type Needs = { [K in CollectionName]?: (record: RecordOf<K>) => readonly Need[] }

const byOwner = ({ ownerId }: { ownerId: string }): Need => ['users', ownerId]
const byUser = ({ userId }: { userId: string }): Need => ['users', userId]
const byProject = ({ projectId }: { projectId: string | null }): Need => ['projects', projectId]
const ofProject = (record: { projectId: string }) => [byProject(record)]

/** The records without which a record means nothing, or would show what it must not. */
const needs: Needs = {
  sessions: (it) => [byUser(it)],
  apiKeys: (it) => [byOwner(it), byProject(it)],
  factors: ({ id }) => [['users', id]],
  identities: (it) => [byUser(it)],
  files: (it) => [byOwner(it), ['projects', it.previewOf]],
  projects: (it) => [byOwner(it)],
  // Without its release, a link could show withdrawn files.
  links: (it) => [byProject(it), ['files', it.fileId], ['releases', it.releaseId]],
  posts: ofProject,
  releases: ofProject,
  trash: (it) => [byOwner(it)],
  uploads: (it) => [byOwner(it)],
  watches: (it) => [byOwner(it), byProject(it)],
  watchedFiles: ({ watchId }) => [['watches', watchId]],
  watchedBuilds: ofProject,
  testers: ofProject,
  previews: ofProject,
  accessRequests: ofProject,
  shareLinks: ({ fileId }) => [['files', fileId]],
  fileRequests: (it) => [byOwner(it)],
  reports: ofProject,
  webhooks: ofProject,
  webhookDeliveries: ({ webhookId }) => [['webhooks', webhookId]],
}

/**
 * Removes the records that need a missing one, such as the releases of a project, and releases
 * without a file. Returns one sentence per record.
 */
export function takeOutOrphans(records: Records): string[] {
  const problems: string[] = []
  const takeOut = (collection: CollectionName, id: string, why: string) => {
    const name = nameOf(records[collection].get(id) ?? {})
    const named = name === '' ? '' : ` (${name})`
    problems.push(`the record ${JSON.stringify(id)} of ${collection}${named} ${why}`)
    records[collection].delete(id)
  }

  // What is taken out may have been needed, too.
  for (let before = -1; before < problems.length;) {
    before = problems.length
    for (const collection of collectionNames)
      for (const [id, [of, parent]] of findMissing(records, collection))
        takeOut(collection, id, `needs the record ${JSON.stringify(parent)} of ${of}`)

    const linked = new Set([...records.links.values()].map(({ releaseId }) => releaseId))
    for (const [id, { isKept }] of records.releases)
      if (!isKept && !linked.has(id)) takeOut('releases', id, 'has no file')
  }

  return problems
}

/** The records of a collection that need a missing one, by their ids. */
function findMissing(records: Records, collection: CollectionName): Map<string, Need> {
  const { users, deletedAccounts, projects, files, trash } = records
  const inTrash = fileIdsIn(trash.values())
  const isMissing = ([of, id]: Need): boolean => {
    if (id === null || id === undefined) return false
    if (of === 'users') return !users.has(id) && !deletedAccounts.has(id)
    if (of === 'projects') return !projects.has(id) && !trash.has(id)
    if (of === 'files') return !files.has(id) && !inTrash.has(id)
    return !records[of].has(id)
  }

  const missing = new Map<string, Need>()
  const needsOf = needs[collection] as ((record: object) => readonly Need[]) | undefined
  for (const [id, record] of needsOf ? records[collection] : []) {
    const need = needsOf?.(record).find(isMissing)
    if (need) missing.set(id, need)
  }
  return missing
}
