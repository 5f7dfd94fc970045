import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { errorCode } from '../../../core/durable-file'

/** A process, distinguished from a later one with the same number if the system allows. */
export interface ProcessIdentity {
  pid: number
  /** Boot and start time; null if unknown. */
  started: string | null
}

/** Where process numbers are valid: one boot of one computer and one PID namespace (container). */
export interface ProcessSpace {
  host: string
  /** Null on macOS and Windows, which do not report it. */
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
  return { pid: process.pid, started: await readStartTime(process.pid) }
}

export async function isAlive({ pid, started }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return errorCode(error) === 'EPERM' && (await isSame(pid, started))
  }
  return isSame(pid, started)
}

/** Process numbers are reused: after a reboot another program may have the one in the lock. */
async function isSame(pid: number, started: string | null): Promise<boolean> {
  const now = await readStartTime(pid)
  return started === null || now === null || startOf(now) === startOf(started)
}

/**
 * Compares without the boot id: in a container (nspawn, LXC), a service with its own /proc sees
 * another id than a command does.
 */
const startOf = (started: string) => started.split(':').at(-1)

/**
 * Only Linux reports it without a child process. A zombie gets a different start, because it has
 * ended.
 */
async function readStartTime(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null

  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])

    // The program name is second, in brackets, and may contain anything; state and start time
    // follow it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'zombie' : `${boot.trim()}:${fields[19]}`
  } catch {
    return null
  }
}
