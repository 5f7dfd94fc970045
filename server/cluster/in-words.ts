import { engineError } from '../data/engine/engine-error'

/** Errors of PostgreSQL's client as sentences; other errors keep theirs. */
export const inWords = (cause: unknown): unknown =>
  cause instanceof Error && ('severity' in cause || /Connection terminated|not queryable|timeout/.test(cause.message))
    ? engineError(cause)
    : cause
