import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { requireOwnLibrary } from '../library/library-place'
import { writeFreshLibrary } from '../library/fresh-library'
import {
  isUntouched,
  listLibrary,
  nextGeneration,
  RESERVE,
  setAside,
} from '../library/journal/library-files'
import { readLibrary } from '../library/read-library'
import { DiskBackend } from '../blobs/disk-backend'
import { Orphans } from '../blobs/orphans'
import { emptyLibrary } from '../library/library-data'
import { readCatalogue } from './catalogue'
import { takeOutInvalid } from './check-records'
import { forgetFacts, recordsOf, withoutSidecars, type Records } from './records'
import { dropIncomplete, recover, type Recovered } from './unclaimed-blobs'
import { formatFiles, formatQuantity } from '../../texts/format'

export interface Rebuilt {
  files: number
  projects: number
  accounts: { username: string; password: string }[]
  recovered: Recovered
  /** Folder with the old library files. Undefined if there were none. */
  oldFolder: string | undefined
}

interface RebuildDeps {
  now: Date
  newId: () => string
  hashPassword: (password: string) => Promise<string>
}

/**
 * Rebuilds a library from its catalogue and keeps the old one. Throws if the library is readable.
 */
export async function rebuild(dir: string, deps: RebuildDeps): Promise<Rebuilt> {
  await requireOwnLibrary(dir)
  const old = await listLibrary(dir)
  await requireUnreadable(dir, isUntouched(old))

  const blobs = DiskBackend.in(dir)
  await new Orphans(join(dir, 'orphans'), blobs, () => deps.now).restoreAll()

  const data = (await readCatalogue(dir)) ?? emptyLibrary()
  const records = recordsOf(data)
  const accounts = await givePasswords(records, deps.hashPassword)
  takeOutInvalid(data)

  if (records.users.size === 0) {
    addHostAccount(records, deps)
    accounts.push(...(await givePasswords(records, deps.hashPassword)))
  }

  const unclaimed = await dropIncomplete(records, blobs)
  forgetFacts(records, await withoutSidecars(records, blobs))
  const recovered = await recover(blobs, unclaimed, records, deps.newId)
  const fresh = await writeFreshLibrary(dir, { data, generation: nextGeneration(old), sequence: 0 })
  const oldFolder = await keepOld(dir, fresh, deps.now)

  return {
    files: records.files.size,
    projects: records.projects.size,
    accounts,
    recovered,
    oldFolder,
  }
}

/** Adds a host account if the catalogue is missing, or older than the first account. */
function addHostAccount({ users }: Records, { now, newId }: RebuildDeps): void {
  const account = {
    id: newId(),
    username: 'host',
    email: '',
    passwordHash: '',
    tier: 'Enterprise',
  } as const

  users.set(account.id, {
    ...account,
    isHost: true,
    disabledAt: null,
    createdAt: now.toISOString(),
  })
}

async function requireUnreadable(dir: string, isUntouchedDir: boolean): Promise<void> {
  if (isUntouchedDir) return
  const isReadable = await readLibrary(dir).then(
    () => true,
    () => false,
  )
  if (isReadable) throw new Error(`The library in ${dir} is readable: there is nothing to rebuild`)
}

/** Only the library has password hashes, so every account gets a new password. */
async function givePasswords(
  { users, deletedAccounts }: Records,
  hashPassword: RebuildDeps['hashPassword'],
) {
  const accounts: Rebuilt['accounts'] = []
  const newPassword = () => randomBytes(12).toString('base64url')

  // Nobody learns these: after a restore, the host account gives a new one.
  for (const [id, account] of deletedAccounts) {
    const { user } = account
    const passwordHash = await hashPassword(newPassword())
    deletedAccounts.set(id, { ...account, user: user && { ...user, passwordHash } })
  }

  for (const user of users.values()) {
    const password = newPassword()
    users.set(user.id, { ...user, passwordHash: await hashPassword(password) })
    accounts.push({ username: user.username, password })
  }
  return accounts
}

/**
 * The new library is already active; after a crash here, the next snapshot removes the old files.
 */
async function keepOld(
  dir: string,
  fresh: readonly string[],
  now: Date,
): Promise<string | undefined> {
  const names = (await readdir(dir)).filter(
    (name) => name.startsWith('library.') && ![RESERVE, ...fresh].includes(name),
  )
  if (names.length === 0) return undefined

  const oldFolder = join(dir, `before-rebuild-${now.toISOString().replaceAll(':', '-')}`)
  await setAside(dir, names, oldFolder)
  return oldFolder
}

/** The output of `slipway rebuild`. */
export function describeRebuilt({
  files,
  projects,
  accounts,
  recovered,
  oldFolder,
}: Rebuilt): string {
  const { owner, filenames, unreadable } = recovered

  return [
    `Restored ${formatFiles(files)}, ${formatQuantity(projects, 'project')} and ` +
      `${formatQuantity(accounts.length, 'account')}, as of the last catalogue.`,
    'API keys, watched folders, webhooks, subscribers and counts are lost with the old library.',
    'Every account has a new password:',
    ...accounts.map(({ username, password }) => `  ${username}  ${password}`),
    ...(filenames.length === 0
      ? []
      : [`These files are not in the catalogue. They are now private files of ${owner}:`]),
    ...filenames.map((filename) => `  ${filename}`),
    ...(unreadable.length === 0
      ? []
      : ['These blobs are unreadable; the next start sets them aside for a week:']),
    ...unreadable.map((blobId) => `  ${blobId}`),
    ...(oldFolder === undefined ? [] : [`The old library is in ${oldFolder}.`]),
  ].join('\n')
}
