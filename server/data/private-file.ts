import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { errorCode } from '../core/durable-file'

/** Larger files are not of ours, in bytes. */
const MOST_BYTES = 64 * 1024

/**
 * Reads the file that a switch such as `--bucket-config` names, unless other accounts can read it
 * too: it contains secrets. Throws with a sentence that names the switch and what to do, and never
 * quotes the file. `env` has CREDENTIALS_DIRECTORY, where systemd passes on a credential under
 * modes of its own.
 */
export function readPrivateFile(
  { name, path, content }: { name: string; path: string; content: string },
  env: NodeJS.ProcessEnv = process.env,
): string {
  const file = open(name, path)
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) throw new Error(`${name} takes a file, and ${path} is a folder`)

    const isForOthers = process.platform !== 'win32' && (stats.mode & 0o077) !== 0
    if (isForOthers && !isCredential(path, env['CREDENTIALS_DIRECTORY']))
      throw new Error(
        `${name} ${path} contains ${content}, but other accounts can read it. ` +
          `Run: chmod 600 ${path}`,
      )

    if (stats.size > MOST_BYTES)
      throw new Error(`${name} ${path} is larger than 64 KiB, so it is another file`)

    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

const isCredential = (path: string, folder: string | undefined) =>
  folder !== undefined && resolve(path).startsWith(resolve(folder) + sep)

function open(name: string, path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    const why =
      errorCode(cause) === 'ENOENT' ? 'it does not exist' : (errorCode(cause) ?? 'unknown')
    throw new Error(`${name} cannot read ${path}: ${why}`, { cause })
  }
}
