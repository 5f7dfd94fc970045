import { ApiError } from './api-client'

interface FailureTexts {
  /** When the host refused without saying why. */
  failed: string
  /** When there was no answer at all; `failed` if absent. */
  unreachable?: string
}

/** What to tell people when a call fails: the host's own words, where it had any. */
export function failureText(cause: unknown, { failed, unreachable = failed }: FailureTexts): string {
  if (!(cause instanceof ApiError) || cause.code === 'offline') return unreachable
  return cause.code === 'internal' ? failed : cause.message
}

/** The input that the host found wrong, where it named one of the form's own. */
export function failureField(cause: unknown, fields: readonly string[]): string | undefined {
  return cause instanceof ApiError && cause.field !== undefined && fields.includes(cause.field)
    ? cause.field
    : undefined
}

/** What the host would take in that input, where it named something. */
export const failureSuggestion = (cause: unknown): string | number | undefined =>
  cause instanceof ApiError ? cause.suggestion : undefined

/** Why something could not be loaded: what the host said, or that it did not. Other errors are no text for people. */
export const reasonOf = (error: Error): string =>
  error instanceof ApiError ? error.message : 'This page and the host do not understand each other. Load the page again'
