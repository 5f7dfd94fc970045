import { readFileSync } from 'node:fs'

/** Descriptors that are not for connections: files, folders, the network's other sockets. */
const KEPT = 256
/** What is taken for the limit where the system does not tell: Electron and Node ask for this many or more. */
const LIMIT_ELSEWHERE = 8192
/** Each connection costs about 28 kB of memory, so more descriptors do not mean more connections. */
const MOST = 8192

/** How many connections may be open with so many descriptors: all but 256, and half where there are few. */
export function connectionsFor(descriptors: number): number {
  return Math.min(MOST, Math.max(descriptors - KEPT, Math.floor(descriptors / 2)))
}

/** How many files and connections this process may have open: the soft limit, which Node raises when it starts. */
export function descriptorLimit(): number {
  if (process.platform !== 'linux') return LIMIT_ELSEWHERE
  try {
    return softLimit(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return LIMIT_ELSEWHERE
  }
}

/** The soft limit of open files in the text of `/proc/self/limits` (proc_pid_limits(5)). */
export function softLimit(limits: string): number {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1]
  if (soft === 'unlimited') return Infinity
  return soft === undefined ? LIMIT_ELSEWHERE : Number(soft)
}
