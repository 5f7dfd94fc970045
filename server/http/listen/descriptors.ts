import { readFileSync } from 'node:fs'

/** Descriptors reserved for files, folders and other sockets. */
const KEPT = 256
/**
 * Assumed where the system does not report a limit: Electron and Node request at least this many.
 */
const LIMIT_ELSEWHERE = 8192
/** Bounds memory: each connection costs about 28 kB. */
const MOST = 8192

/** Returns how many connections fit: all descriptors but 256, at least half. */
export function connectionsFor(descriptors: number): number {
  return Math.min(MOST, Math.max(descriptors - KEPT, Math.floor(descriptors / 2)))
}

/** Returns the soft limit of open files, which Node raises at startup. */
export function descriptorLimit(): number {
  if (process.platform !== 'linux') return LIMIT_ELSEWHERE
  try {
    return softLimit(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return LIMIT_ELSEWHERE
  }
}

/** Parses the soft limit of open files from `/proc/self/limits` (proc_pid_limits(5)). */
export function softLimit(limits: string): number {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1]
  if (soft === 'unlimited') return Infinity
  return soft === undefined ? LIMIT_ELSEWHERE : Number(soft)
}
