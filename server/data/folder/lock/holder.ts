import { open, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { parseJson } from '../../../core/json'
import { errorCode } from '../../durable-file'
import type { OsLock } from './os-lock'
import { isAlive, type ProcessSpace } from './process-identity'

/** What the lock file of a released folder holds. */
export const RELEASED = 'released'

/** Somebody who has created a lock has this long to write a name into it. */
export const GRACE_MS = 5000
/** A lock holds less; of a larger file only the beginning is read. */
const MAX_BYTES = 4096

const holderSchema = z.object({
  pid: z.int().positive(),
  started: z.string().nullable(),
  /** Missing, as is all that follows, in a lock of a version that did not tell it: such a holder is judged by its process. */
  space: z.object({ host: z.string(), boot: z.string().nullable(), pids: z.string().nullable() }).optional(),
  /** `OsLock.id` of the lock of the operating system that it holds as well. */
  osLock: z.string().nullable().optional(),
  since: z.iso.datetime().optional(),
  beat: z.int().optional(),
})

/** Who has a data folder, as its lock file says. */
export type Holder = z.infer<typeof holderSchema>

/** A holder, and the text of its lock, which changes with each beat. */
export interface FoundHolder {
  holder: Holder
  text: string
}

/** Undefined for a lock that was released, or that a crash left without a name. */
export async function readHolder(path: string): Promise<FoundHolder | undefined> {
  for (;;) {
    try {
      const text = await textOf(path)
      if (text === RELEASED) return undefined
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

/** Opens the file anew: only that makes a network file system ask its server. */
export async function textOf(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whoever judges: where it runs, and the lock of the operating system that it has taken. */
export interface Judge {
  space: ProcessSpace
  osLock: OsLock | undefined
}

/** 'elsewhere': its process cannot be asked from here, so that only its heartbeat tells. */
export async function stateOf(holder: Holder, { space, osLock }: Judge): Promise<'alive' | 'dead' | 'elsewhere'> {
  const there = holder.space
  if (there === undefined || isSameSpace(there, space)) return (await isAlive(holder)) ? 'alive' : 'dead'
  if (there.boot === null || osLock === undefined || typeof holder.osLock !== 'string') return 'elsewhere'
  // The kernel has dropped the lock of its process, or we would not have it.
  if (there.boot === space.boot && holder.osLock === osLock.id) return 'dead'
  // The same on a disk that no other kernel reads: the machine was started anew, and its devices may have other numbers.
  return osLock.isLocal && inodeOf(holder.osLock) === inodeOf(osLock.id) ? 'dead' : 'elsewhere'
}

const inodeOf = (id: string) => id.split(':')[1]

const isSameSpace = (a: ProcessSpace, b: ProcessSpace) =>
  a.boot === b.boot && a.pids === b.pids && (a.boot !== null || a.host === b.host)

/** Names a holder for people: by its process where that can be looked up here, else by its machine. */
export function nameOf({ pid, space, since }: Holder, here: ProcessSpace): string {
  if (space === undefined || isSameSpace(space, here)) return `process ${pid}`
  const time = since === undefined ? '' : `, since ${since.slice(0, 16).replace('T', ' ')} UTC`
  return `host ${space.host}${time}`
}
