import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readClusterFile } from '../cluster/cluster-file'
import { openDamaged } from '../data/blobs/damaged-blobs'
import { defaultDataDir } from '../data/folder/default'
import { findData } from '../data/folder/find'
import { Passwords } from '../features/accounts/passwords'
import { commandBackupIn } from '../features/backups/backup-state'
import { backupLine, recordBackup, recordRestore } from '../features/audit/audit-log'
import { lockDataDir } from '../data/folder/lock/lock'
import { realSources } from '../core/clock'
import { backUp, type Backup, type BackupOptions } from '../data/backup/backup'
import { isBackup } from '../data/backup/manifest'
import { mendAsked } from './mend-command'
import { requireLibrary, tellFull } from '../data/backup/places'
import { describeRebuilt, rebuild } from '../data/repair/rebuild'
import { describeRestored } from '../data/backup/describe-restored'
import { restore } from '../data/backup/restore'
import { describeVerdict, verify, type VerifyOptions } from '../data/repair/verify'
import { formatFiles } from '../texts/format'

/** Where the data is. */
const places = { data: { type: 'string' }, cluster: { type: 'string' } } as const

/** The exit code of a backup or restore that has finished, without what is damaged. */
const DAMAGED = 2

/** Returns the exit code. */
type Command = (args: string[]) => Promise<number>

export const MAINTENANCE_USAGE = `verify [--read-data] [--data FOLDER | --cluster FILE]
                                       checks the library, and every byte with --read-data
backup TO [--data FOLDER | --cluster FILE]
                                       makes a backup in TO, also while the host runs
restore FROM --data NEW-FOLDER [--accept-settings]
                                       makes a data folder from a backup
rebuild [--data FOLDER]                rebuilds a lost library from the stored files
mend [--yes] [--data FOLDER]           repairs a library that two hosts wrote to`

/** The commands that work on a data folder, by name. */
export const maintenanceCommands: Readonly<Record<string, Command>> = {
  verify: runVerify,
  backup: runBackup,
  restore: runRestore,
  rebuild: runRebuild,
  mend: runMend,
}

async function runVerify(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { ...places, 'read-data': { type: 'boolean' } } })
  const readData = values['read-data'] === true
  const verdict = await atData(values, async ({ dir, read, blobs }) => {
    await requireLibrary(dir)
    return alone(dir, async () => {
      const found = await verify(dir, { readData, read, blobs })
      // The host refuses to send them from its next start on, and sends what is intact again.
      if (readData && !blobs && !(await isBackup(dir)))
        await openDamaged(dir).write({ damaged: found.damaged })
      return found
    })
  })
  console.log(describeVerdict(verdict))
  return verdict.problems.length === 0 ? 0 : 1
}

async function runBackup(args: string[]): Promise<number> {
  const { place, ...values } = withPlace(args, 'backup TO [--data FOLDER | --cluster FILE]')
  const { path, blobs, linked, shared, problems } = await atData(
    values,
    async ({ dir, record, ...from }) => {
      const made = await backUp(dir, place, new Date(), from).catch((error: unknown) => {
        throw tellFull(error, place)
      })
      await record(new Date(), made).catch((error: unknown) => {
        console.error(`The host does not know of this backup: ${String(error)}`)
      })
      return made
    },
  )

  const whole = problems.length === 0 ? 'is complete' : 'has damaged files'
  console.log(
    `${path} ${whole}: ${formatFiles(blobs)}, ${linked} as hard links, which take no space`,
  )
  if (shared > 0)
    console.log(
      `${formatFiles(shared)} of it are those of the data folder itself. Make another backup on ` +
        'another disk: a disk that fails takes both.',
    )
  for (const problem of problems)
    console.error(`Problem in the data folder and in this backup: ${problem}`)

  return problems.length === 0 ? 0 : DAMAGED
}

async function runRestore(args: string[]): Promise<number> {
  const accept = '--accept-settings'
  const others = args.filter((arg) => arg !== accept)
  const { data, cluster, place } = withPlace(others, `restore FROM --data NEW-FOLDER [${accept}]`)
  if (cluster !== undefined)
    throw new Error(
      'restore makes a data folder of its own. Then move it into an empty database: slipway ' +
        'cluster init',
    )
  if (data === undefined) throw new Error('restore needs --data NEW-FOLDER')

  const restored = await restore(place, data, { acceptSettings: args.includes(accept) }).catch(
    (error: unknown) => {
      throw tellFull(error, data)
    },
  )

  await recordRestore(data, new Date(), { from: restored.from, via: 'command_line' })

  console.log(describeRestored(data, restored))
  return restored.damaged.length + restored.leftOut.length === 0 ? 0 : DAMAGED
}

async function runRebuild(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' } } })
  console.log(await rebuildLibrary(await findDataFolder(values.data)))
  return 0
}

/** Rebuilds the lost library of a data folder. Returns a report with the new passwords. */
export async function rebuildLibrary(dir: string): Promise<string> {
  if (!existsSync(join(dir, 'blobs'))) throw new Error(`${dir} contains no Slipway data`)
  const passwords = new Passwords()
  const hashPassword = (password: string) => passwords.hash(password, 'here')
  const deps = { now: realSources.now(), newId: () => realSources.newId(), hashPassword }
  return describeRebuilt(await alone(dir, () => rebuild(dir, deps)))
}

async function runMend(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, yes: { type: 'boolean' } },
  })
  const dir = await findDataFolder(values.data)
  await requireLibrary(dir)
  return alone(dir, () => mendAsked(dir, values.yes === true))
}

function withPlace(args: string[], usage: string) {
  const { values, positionals } = parseArgs({ args, options: places, allowPositionals: true })
  const [place, ...more] = positionals
  if (place === undefined || more.length > 0) throw new Error(`Usage: ${usage}`)
  return { ...values, place }
}

/** Where a command reads. */
interface Place {
  dir: string
  /** Reads the library, where it is not in the folder. */
  read?: BackupOptions['read']
  /** The bytes, where they are in no folder. */
  blobs?: BackupOptions['blobs'] & VerifyOptions['blobs']
  /** Records a backup. */
  record: (now: Date, made: Pick<Backup, 'path' | 'problems'>) => Promise<void>
}

/** Runs `work` on a data folder, or on a cluster. */
async function atData<T>(
  { data, cluster }: { data?: string; cluster?: string },
  work: (place: Place) => Promise<T>,
): Promise<T> {
  if (cluster !== undefined) {
    const { viewCluster } = await import('../cluster/folder/view-folder')
    return viewCluster(readClusterFile(cluster), ({ share, record, ...view }) =>
      work({
        ...view,
        async record(now, { path, problems }) {
          await commandBackupIn(view.dir).write({ at: now.toISOString(), path, problems })
          await share('command-backup.json')
          await record(now, backupLine(now, path))
        },
      }),
    )
  }

  const dir = await findDataFolder(data)
  const record: Place['record'] = async (now, { path, problems }) => {
    await commandBackupIn(dir).write({ at: now.toISOString(), path, problems })
    await recordBackup(dir, now, path)
  }
  return work({ dir, record })
}

const findDataFolder = async (named: string | undefined) =>
  (await findData(named ?? defaultDataDir())).dataDir

/** Locks the folder while `work` runs. */
async function alone<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockDataDir(dir)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}
