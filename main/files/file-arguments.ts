import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { optionWords } from '../start/options'

interface Start {
  argv: readonly string[]
  cwd: string
  /** The app folder if it was an argument of Electron itself; arguments before it are ignored. */
  program: string | undefined
}

/**
 * Absolute paths of the files that a command line names, as paths or `file://` URLs. Ignores links
 * of our own scheme.
 */
export function filesInArguments({ argv, cwd, program }: Start): string[] {
  const at =
    program === undefined ? 0 : argv.findIndex((argument) => resolve(cwd, argument) === program)
  if (at < 0) return []
  const { positionals } = parseArgs({
    args: argv.slice(at + 1),
    options: optionWords,
    strict: false,
    allowPositionals: true,
  })
  return positionals.flatMap((word) => resolvePath(word, cwd) ?? [])
}

function resolvePath(word: string, cwd: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(word)) return resolve(cwd, word)
  try {
    return fileURLToPath(word)
  } catch {
    return undefined
  }
}
