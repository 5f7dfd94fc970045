import { accountTexts } from '../../../server/texts/account-texts'
import { ApiError } from './api-client'

interface FailureTexts {
  failed: string
  unreachable?: string
}

/** Why a call got no answer, as the end of a sentence. */
export const silenceReason = (): string =>
  navigator.onLine ? 'the host does not answer' : 'you are offline'

/**
 * The text of a failure: the host's own sentence, or `failed` with the reason. `unreachable`
 * replaces both.
 */
export function failureText(cause: unknown, { failed, unreachable }: FailureTexts): string {
  if (!(cause instanceof ApiError)) return unreachable ?? failed
  if (cause.code === 'offline') return unreachable ?? `${failed}: ${silenceReason()}`
  return cause.code === 'internal' ? `${failed}: the host had an error` : cause.message
}

/** Whether the same call may succeed later: the host did not answer, had an error or was busy. */
export const mayRetry = (cause: unknown): boolean =>
  !(cause instanceof ApiError) ||
  cause.code === 'offline' ||
  cause.status >= 500 ||
  cause.status === 429

/** The rejected field, if it is one of the form's. */
export function failureField(cause: unknown, fields: readonly string[]): string | undefined {
  return cause instanceof ApiError && cause.field !== undefined && fields.includes(cause.field)
    ? cause.field
    : undefined
}

/** Whether the host has no such thing, or does not show it to this person. */
export const isMissing = (cause: unknown): boolean =>
  cause instanceof ApiError && cause.status === 404

/** The host's reason, or that it did not answer. Other errors have no user-facing text. */
export const reasonOf = (error: Error): string =>
  error instanceof ApiError
    ? error.message
    : 'This page and the host do not understand each other. Load the page again'

/** Describes failures of a form of accounts: also what to do if the host did not answer. */
export const explainFailure = (texts: Parameters<typeof failureText>[1]) => (cause: unknown) => ({
  text: failureText(cause, texts),
  detail:
    cause instanceof ApiError && cause.code === 'offline' ? accountTexts.unreachable : undefined,
})
