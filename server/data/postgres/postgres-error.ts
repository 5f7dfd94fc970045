import { errorCode } from '../../core/durable-file'
import { DATABASE_FULL } from '../../core/errors'
import { systemWords } from '../../core/system-words'

/** PostgreSQL cannot be used, in a sentence that says what to do. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError'

  constructor(
    message: string,
    /**
     * Whether it may pass without a person: PostgreSQL is away, starts, has no free connection or
     * no room.
     */
    readonly mayPass = false,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

/** By the SQLSTATE of PostgreSQL, or its first two characters. */
const KNOWN: Readonly<Record<string, readonly [message: string, mayPass?: 'may pass']>> = {
  '08P01': [
    'This is a connection pool that cannot be used. Give the address of PostgreSQL itself, or ' +
      'of a pool in session mode',
  ],
  '28P01': [
    'PostgreSQL refuses the user name or the password. Correct them in the file of --cluster',
  ],
  '28': ['PostgreSQL accepts no connection from here. Allow this host in its pg_hba.conf'],
  '3D': [
    'PostgreSQL has no such database. Create it with: createdb --encoding=UTF8 ' +
      '--template=template0 NAME',
  ],
  '42501': [
    'The user may not do this in PostgreSQL. Make it the owner of the database: ALTER ' +
      'DATABASE name OWNER TO user',
  ],
  '25006': [
    'PostgreSQL is read-only, such as a standby or a full disk. Give the address that always ' +
      'leads to the primary',
  ],
  '53100': ['The disk of PostgreSQL is full. Free some space there', 'may pass'],
  '53': ['PostgreSQL has no room for another connection. Raise its max_connections', 'may pass'],
  '57': ['PostgreSQL is starting or stopping', 'may pass'],
  '08': ['The connection to PostgreSQL was lost', 'may pass'],
}

/** Names of `errno` by which a connection fails that may work later. */
const AWAY =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOENT|ENOTFOUND)$/

/**
 * Describes a failure of `pg`; a PostgresError stays itself. No text of ours has the address or its
 * password.
 */
export function postgresError(cause: unknown): PostgresError {
  if (cause instanceof PostgresError) return cause
  const code = errorCode(cause) ?? ''
  const message = cause instanceof Error ? cause.message : String(cause)

  if (AWAY.test(code)) {
    const words =
      cause instanceof AggregateError
        ? systemWords(cause.errors[0] as Error)
        : systemWords(cause as Error)
    const remedy = 'Check that PostgreSQL runs, and the address in the file of --cluster'
    return new PostgresError(`PostgreSQL does not answer: ${words}. ${remedy}`, true, cause)
  }

  if (/not support SSL/.test(message))
    return new PostgresError(
      'PostgreSQL does not speak TLS. In PostgreSQL, set ssl = on',
      false,
      cause,
    )

  if (
    /CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO/.test(code) ||
    (/SSL/.test(message) && !hasSqlstate(cause))
  ) {
    const remedy = 'Give its authority by sslrootcert in the address of PostgreSQL'
    return new PostgresError(
      `PostgreSQL has no certificate that this host trusts: ${message}. ${remedy}`,
      false,
      cause,
    )
  }

  if (code === '' && /time-?out|terminated|not queryable/i.test(message))
    return new PostgresError('PostgreSQL does not answer', true, cause)

  const [words, mayPass] = KNOWN[code] ?? KNOWN[code.slice(0, 2)] ?? ['PostgreSQL reports an error']
  return new PostgresError(
    `${words} (${code === '' ? message : `${code}: ${message}`})`,
    mayPass !== undefined,
    cause,
  )
}

/** Whether PostgreSQL itself may have reported this. */
export const hasSqlstate = (cause: unknown): boolean => /^[0-9A-Z]{5}$/.test(errorCode(cause) ?? '')

/**
 * Whether the same statement may work when it runs again: after a conflict, a deadlock, a lock or a
 * time-out.
 */
export const mayRunAgain = (cause: unknown): boolean =>
  /^(40|55P03|57014)/.test(errorCode(cause) ?? '')

/** The error of a refused change, with the code by which the host explains it. */
export function refusalOf(cause: unknown): Error {
  return Object.assign(postgresError(cause), {
    code: errorCode(cause) === '53100' ? DATABASE_FULL : 'EROFS',
  })
}
