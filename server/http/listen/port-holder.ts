import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Timeout for the answer of lsof, in ms. */
const PATIENCE_MS = 3000

/**
 * Describes why a port of this machine is unavailable, to follow `Port 4780 is`. Returns undefined
 * for unrelated errors.
 */
export async function describeObstacle(
  code: string | undefined,
  port: number,
): Promise<string | undefined> {
  if (code === 'EADDRINUSE') return `in use by ${await namePortHolder(port)}`
  // Windows reserves blocks of ports, such as for Hyper-V and WSL.
  return code === 'EACCES' && port > 1023 ? 'reserved by the system' : undefined
}

/**
 * Names the program that listens on a port of this machine: `nginx (process 123)`. It asks `lsof`,
 * which macOS and most Linux systems have; elsewhere, and for programs of other users, it is
 * `another program`.
 */
export async function namePortHolder(port: number): Promise<string> {
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']
  const { stdout } = await promisify(execFile)('lsof', args, { timeout: PATIENCE_MS }).catch(
    () => ({ stdout: '' }),
  )
  // One letter and its value per line.
  const [, pid, name] = /^p(\d+)\nc(.+)$/m.exec(stdout) ?? []
  return name === undefined ? 'another program' : `${name} (process ${pid})`
}
