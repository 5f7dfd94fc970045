import type { Command, CommanderError } from 'commander'
import { Failure } from './failure'
import { savedKeys } from './saved-keys'

/** Throws our sentence for wrong use; without one, commander's own. */
export function explain(error: CommanderError, command?: Command): never {
  if (error.exitCode === 0) throw error

  const [, word = ''] = /'([^']*)'/.exec(error.message) ?? []
  const [hint = ''] = /\n\(Did you mean .*/.exec(error.message) ?? []
  const name = `slipway ${command?.name()}`
  const takes = command?.registeredArguments ?? []

  const sentences: Record<string, string> = {
    'commander.unknownCommand': `There is no command "${word}". slipway help lists them.${hint}`,
    'commander.unknownOption': `${command ? name : 'slipway'} has no ${word}${hint}`,
    'commander.missingArgument':
      `Name ${takes.find((it) => it.name() === word)?.description}: ${name} ` +
      takes.map((it) => it.name() + (it.variadic ? '…' : '')).join(' '),
    'commander.excessArguments': `${name} takes no ${command?.args[takes.length]}`,
  }

  throw new Failure('usage', sentences[error.code] ?? error.message.replace(/^error: /, ''))
}

/** Returns the address of the host without a final slash. Throws `Failure`. */
export function parseHostUrl(
  input = process.env['SLIPWAY_URL'] ?? Object.keys(savedKeys()).at(-1),
): string {
  if (input === undefined)
    throw new Failure('usage', 'Say which host: set SLIPWAY_URL, or use --url http://host:port')
  const url = URL.canParse(input) ? new URL(input) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  throw new Failure(
    'usage',
    `${input} is not the address of a host, such as http://192.168.1.20:4400`,
  )
}

/**
 * Other characters fit into no header, and the error for that would print the key into the log of a
 * CI job.
 */
export function parseKey(input: string | undefined): string | undefined {
  const key = input?.trim()
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key
  if (key === '')
    throw new Failure('usage', 'SLIPWAY_KEY is empty: check that this job can read the secret')
  throw new Failure(
    'usage',
    'SLIPWAY_KEY is not an API key: copy it again, without spaces, line breaks or quotes',
  )
}

/** Returns the project that was named. Throws `Failure` without one. */
export function requireProject({ project }: { project?: string }): string {
  if (project === undefined) throw new Failure('usage', 'Name the project: --project NAME')
  return project
}
