/** Exit codes, for scripts. `--help` lists them. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  not_allowed: 3,
  not_found: 4,
  conflict: 5,
  unreachable: 6,
  no_room: 7,
} as const

/**
 * Text of a host for a terminal or a log: control characters could move the cursor, change the
 * title or write to the clipboard.
 */
export const printable = (text: string): string => text.replace(/(?!\n)\p{C}/gu, '\ufffd')

/** Ends the command with a sentence for people and an exit code for scripts. */
export class Failure extends Error {
  readonly exitCode: number
  /** The error code of the host, if it replied. */
  readonly code: string | undefined

  constructor(kind: keyof typeof exitCodes, message: string, code?: string) {
    super(message)
    this.exitCode = exitCodes[kind]
    this.code = code
  }
}

const byStatus: Readonly<Record<number, keyof typeof exitCodes>> = {
  400: 'usage',
  401: 'not_allowed',
  403: 'not_allowed',
  404: 'not_found',
  409: 'conflict',
  413: 'no_room',
  507: 'no_room',
}

/** The failure that a reply of the host means; the host explains it in `text` (JSON). */
export function toFailure(status: number, text: string): Failure {
  const { error, code } = problemIn(text)
  const kind = code === 'quota_exceeded' ? 'no_room' : (byStatus[status] ?? 'failed')
  return new Failure(kind, error ?? `The host answered ${status}`, code)
}

function problemIn(text: string): { error?: string; code?: string } {
  try {
    return JSON.parse(text) as { error?: string; code?: string }
  } catch {
    return {}
  }
}
