import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { defaultDataDir } from '../data-dir'
import { lockDataDir } from '../storage/lock'
import { backUp } from './backup'
import { rebuild } from './rebuild'
import { describeRebuilt } from './describe-rebuilt'
import { restore } from './restore'
import { describeVerdict, verify } from './verify'

/** Answers the exit code. */
type Command = (args: string[]) => Promise<number>

export const MAINTENANCE_USAGE = `verify [--read-data] [--data FOLDER]   checks the library, and with --read-data every byte
backup TO [--data FOLDER]              keeps a copy in TO, also while the host is running
restore FROM --data NEW-FOLDER         makes a data folder from a backup
rebuild [--data FOLDER]                makes a lost library again from what stands beside the bytes`

/** What can be done with a data folder beside hosting it, by the name of the command. */
export const commands: Readonly<Record<string, Command>> = {
  verify: runVerify,
  backup: runBackup,
  restore: runRestore,
  rebuild: runRebuild,
}

async function runVerify(args: string[]): Promise<number> {
  const options = { data: { type: 'string' }, 'read-data': { type: 'boolean' } } as const
  const { values } = parseArgs({ args, options })
  const dir = values.data ?? defaultDataDir()
  const verdict = await alone(dir, () => verify(dir, { readData: values['read-data'] === true }))
  console.log(describeVerdict(verdict))
  return verdict.problems.length === 0 ? 0 : 1
}

async function runBackup(args: string[]): Promise<number> {
  const { data = defaultDataDir(), place } = withPlace(args, 'backup TO [--data FOLDER]')
  const { path, blobs, linked } = await backUp(data, place, new Date())
  console.log(`${path} is complete: ${blobs} files, ${linked} of them shared with what was there before`)
  return 0
}

async function runRestore(args: string[]): Promise<number> {
  const { data, place } = withPlace(args, 'restore FROM --data NEW-FOLDER')
  if (data === undefined) throw new Error('restore needs --data NEW-FOLDER')
  const { from, blobs } = await restore(place, data)
  console.log(`${data} holds everything of ${from}: ${blobs} files, every byte checked`)
  return 0
}

async function runRebuild(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { data: { type: 'string' } } })
  const dir = values.data ?? defaultDataDir()
  console.log(describeRebuilt(await alone(dir, () => rebuild(dir, new Date()))))
  return 0
}

function withPlace(args: string[], usage: string): { data?: string | undefined; place: string } {
  const { values, positionals } = parseArgs({ args, options: { data: { type: 'string' } }, allowPositionals: true })
  const [place, ...more] = positionals
  if (place === undefined || more.length > 0) throw new Error(`Say it like this: ${usage}`)
  return { data: values.data, place }
}

/** Nobody else may have the folder meanwhile. */
async function alone<T>(dir: string, work: () => Promise<T>): Promise<T> {
  if (!existsSync(dir)) throw new Error(`There is no folder ${dir}`)
  const lock = await lockDataDir(dir)
  return work().finally(() => lock.release())
}
