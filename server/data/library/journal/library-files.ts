import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsent, syncDir } from '../../../core/durable-file'

const NAME = /^library\.([1-9]\d{0,14})\.(log|snapshot\.json)(\.tmp)?$/

/** Bytes that a full disk gives back, so that deletes can be saved. */
export const RESERVE = 'library.reserve'

export const logName = (generation: number) => `library.${generation}.log`
export const snapshotName = (generation: number) => `library.${generation}.snapshot.json`

/** The files of a library in a folder. Generations are ascending. */
export interface LibraryFiles {
  logs: number[]
  snapshots: number[]
  drafts: string[]
  /** Unknown names with our prefix. */
  strangers: string[]
}

export async function listLibrary(dir: string): Promise<LibraryFiles> {
  const files: LibraryFiles = { logs: [], snapshots: [], drafts: [], strangers: [] }
  for (const name of await readdir(dir)) {
    if (!name.startsWith('library.') || name === RESERVE) continue
    const [, generation, kind, draft] = NAME.exec(name) ?? []
    if (generation === undefined) files.strangers.push(name)
    else if (draft !== undefined) files.drafts.push(name)
    else (kind === 'log' ? files.logs : files.snapshots).push(Number(generation))
  }

  files.logs.sort((a, b) => a - b)
  files.snapshots.sort((a, b) => a - b)
  return files
}

/**
 * Whether the folder never had a library. A draft of the very first log is allowed, because it
 * crashed before anything was acknowledged. Any other file means that a library existed, and an
 * empty one must never replace it.
 */
export function isUntouched({ logs, snapshots, drafts, strangers }: LibraryFiles): boolean {
  const files = [
    ...logs,
    ...snapshots,
    ...strangers,
    ...drafts.filter((name) => name !== `${logName(1)}.tmp`),
  ]
  return files.length === 0
}

export async function holdsLibrary(dir: string): Promise<boolean> {
  const files = await listLibrary(dir).catch((error: unknown) => {
    if (isAbsent(error)) return undefined
    throw error
  })
  return files !== undefined && !isUntouched(files)
}

/**
 * The generation of a library that replaces these files. Never 1: a first log without a snapshot is
 * an empty library, and a later one alone shows that writing was interrupted.
 */
export const nextGeneration = ({
  logs,
  snapshots,
}: Pick<LibraryFiles, 'logs' | 'snapshots'>): number => Math.max(1, ...logs, ...snapshots) + 1

/** Removes generations that no recovery needs. */
export async function removeOlderThan(dir: string, oldest: number): Promise<void> {
  const { logs, snapshots } = await listLibrary(dir)
  const old = (generation: number) => generation < oldest
  const names = [...snapshots.filter(old).map(snapshotName), ...logs.filter(old).map(logName)]
  for (const name of names) await rm(join(dir, name))
}

/**
 * Moves files of `dir` into a folder of it, which may have some of them after a crash. Resolves
 * once that is durable.
 */
export async function setAside(
  dir: string,
  names: readonly string[],
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of names) await rename(join(dir, name), join(folder, name))
  await syncDir(folder)
  await syncDir(dir)
}
