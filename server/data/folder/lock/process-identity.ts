import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { errorCode } from '../../durable-file'

/** A process that cannot be mistaken for a later one with the same number, as far as the system tells. */
export interface ProcessIdentity {
  pid: number
  /** Boot and start time; null where the system does not tell them. */
  started: string | null
}

/** Where process numbers mean something: one boot of one machine, and there one PID namespace (a container). */
export interface ProcessSpace {
  host: string
  /** Null where the system does not tell it, as macOS and Windows. */
  boot: string | null
  pids: string | null
}

export async function thisSpace(): Promise<ProcessSpace> {
  const unknown = () => null
  const [boot, pids] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').then((text) => text.trim(), unknown),
    readlink('/proc/self/ns/pid').catch(unknown),
  ])
  return { host: hostname(), boot, pids }
}

export async function thisProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, started: await startOf(process.pid) }
}

export async function isAlive({ pid, started }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return errorCode(error) === 'EPERM' && (await isSame(pid, started))
  }
  return isSame(pid, started)
}

/** Process numbers come round again: after a restart of the machine another program may have the one in the lock. */
async function isSame(pid: number, started: string | null): Promise<boolean> {
  const now = await startOf(pid)
  return started === null || now === null || now === started
}

/** Only Linux tells without a child process. A zombie is reported with a start of its own: nobody is at home. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // The name of the program comes second, in brackets, and may hold anything; state and start time follow it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'zombie' : `${boot.trim()}:${fields[19]}`
  } catch {
    return null
  }
}
