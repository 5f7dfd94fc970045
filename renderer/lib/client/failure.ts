import { accountTexts } from '../../../server/texts/account-texts'
import { ApiError } from './api-client'

interface FailureTexts {
  failed: string
  unreachable?: string
}

export function failureText(cause: unknown, { failed, unreachable = failed }: FailureTexts): string {
  if (!(cause instanceof ApiError) || cause.code === 'offline') return unreachable
  return cause.code === 'internal' ? failed : cause.message
}

/** The rejected field, if it is one of the form's. */
export function failureField(cause: unknown, fields: readonly string[]): string | undefined {
  return cause instanceof ApiError && cause.field !== undefined && fields.includes(cause.field)
    ? cause.field
    : undefined
}

/** Whether the host has no such thing, or does not show it to this person. */
export const isMissing = (cause: unknown): boolean => cause instanceof ApiError && cause.status === 404

/** The host's reason, or that it did not answer. Other errors have no user-facing text. */
export const reasonOf = (error: Error): string =>
  error instanceof ApiError ? error.message : 'This page and the host do not understand each other. Load the page again'

/** Describes failures of a form of accounts: also what to do if the host did not answer. */
export const explainFailure = (texts: Parameters<typeof failureText>[1]) => (cause: unknown) => ({
  text: failureText(cause, texts),
  detail: cause instanceof ApiError && cause.code === 'offline' ? accountTexts.unreachable : undefined,
})
