import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { optionWords } from '../start/options'

interface Start {
  argv: readonly string[]
  /** What relative paths start from. */
  cwd: string
  /** The folder of the program, where it was started as an argument of Electron itself; what stands before it is not ours. */
  program: string | undefined
}

/**
 * The files that a command line names, as absolute paths: `slipway app.apk`, or the `file://` addresses that Linux makes
 * of what a person opens with a program. Links of our own scheme are no files.
 */
export function filesInArguments({ argv, cwd, program }: Start): string[] {
  const at = program === undefined ? 0 : argv.findIndex((argument) => resolve(cwd, argument) === program)
  if (at < 0) return []
  const { positionals } = parseArgs({
    args: argv.slice(at + 1),
    options: optionWords,
    strict: false,
    allowPositionals: true,
  })
  return positionals.flatMap((word) => pathOf(word, cwd) ?? [])
}

function pathOf(word: string, cwd: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(word)) return resolve(cwd, word)
  try {
    return fileURLToPath(word)
  } catch {
    return undefined
  }
}
