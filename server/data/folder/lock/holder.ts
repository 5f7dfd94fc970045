import { open, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { parseJson } from '../../../core/json'
import { errorCode } from '../../../core/durable-file'
import type { OsLock } from './os-lock'
import { isAlive, type ProcessSpace } from './process-identity'

/** The text of a released lock file. */
export const RELEASED = 'released'
/** The text of the lock file of a process that the system ends as it shuts down. */
export const SHUT_DOWN = 'shut down'

/** Grace period for a process to write its name into a new lock, in ms. */
export const GRACE_MS = 5000
/** Larger files are not locks; only the beginning is read, in bytes. */
const MAX_BYTES = 4096

const holderSchema = z.object({
  pid: z.int().positive(),
  started: z.string().nullable(),
  /**
   * Missing (with all later fields) in locks of older versions: such a holder is judged by its
   * process.
   */
  space: z
    .object({ host: z.string(), boot: z.string().nullable(), pids: z.string().nullable() })
    .optional(),
  /** `OsLock.id` of the operating system lock that it also holds. */
  osLock: z.string().nullable().optional(),
  since: z.iso.datetime().optional(),
  beat: z.int().optional(),
})

/** The process that holds a data folder, as recorded in its lock file. */
export type Holder = z.infer<typeof holderSchema>

/** A holder, and the text of its lock, which changes with each heartbeat. */
export interface FoundHolder {
  holder: Holder
  text: string
}

/** Undefined if the lock was released, or its process shut down, or has no name after a crash. */
export async function readHolder(path: string): Promise<FoundHolder | undefined> {
  for (;;) {
    try {
      const text = await readLockText(path)
      if (text === RELEASED || text === SHUT_DOWN) return undefined
      const holder = holderSchema.safeParse(parseJson(text))
      if (holder.success) return { holder: holder.data, text }

      const age = Date.now() - (await stat(path)).mtimeMs
      if (age < 0 || age > GRACE_MS) return undefined
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }

    await pause(20)
  }
}

/** Reopens the file, which makes a network file system ask its server. */
export async function readLockText(path: string): Promise<string> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
  return buffer.toString('utf8', 0, bytesRead)
}

/** The process that judges a lock: where it runs, and its operating system lock. */
export interface Judge {
  space: ProcessSpace
  osLock: OsLock | undefined
}

/** 'elsewhere': the process cannot be checked from here, only its heartbeat. */
export async function judgeHolder(
  holder: Holder,
  { space, osLock }: Judge,
): Promise<'alive' | 'dead' | 'elsewhere'> {
  const there = holder.space
  if (there === undefined || isSameSpace(there, space)) {
    // Windows and macOS report no start time, so another process may have this number. It would not
    // hold the operating system lock.
    const letGo = holder.started === null && osLock !== undefined && namesLock(holder, osLock)
    return !letGo && (await isAlive(holder)) ? 'alive' : 'dead'
  }

  if (there.boot === null || osLock === undefined || typeof holder.osLock !== 'string')
    return 'elsewhere'
  // The kernel dropped that process's lock, or we could not hold it.
  if (there.boot === space.boot && holder.osLock === osLock.id) return 'dead'

  // On a local disk the computer has restarted, and device numbers may have changed.
  return osLock.isLocal && namesLock(holder, osLock) ? 'dead' : 'elsewhere'
}

/**
 * Whether this lock is the one that the holder named, on a disk whose device number may have
 * changed.
 */
const namesLock = (holder: Holder, { id }: OsLock) =>
  holder.osLock?.split(':')[1] === id.split(':')[1]

const isSameSpace = (a: ProcessSpace, b: ProcessSpace) =>
  a.boot === b.boot && a.pids === b.pids && (a.boot !== null || a.host === b.host)

/** Describes a holder to people: by its process on this computer, otherwise by its host. */
export function describeHolder({ pid, space, since }: Holder, here: ProcessSpace): string {
  if (space === undefined || isSameSpace(space, here)) return `process ${pid}`
  const time = since === undefined ? '' : `, since ${since.slice(0, 16).replace('T', ' ')} UTC`
  return `host ${space.host}${time}`
}
