import { errorStatus, type ErrorCode, type Problem } from './contract'

/** A failure that the caller should hear about. Anything else that is thrown is a bug and becomes `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly field?: string,
    /** Response headers that belong to the failure, such as `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }

  get status(): number {
    return errorStatus[this.code]
  }

  toProblem(): Problem {
    const { code, message, field } = this
    return { success: false, error: message, code, ...(field === undefined ? {} : { field }) }
  }
}

export const notFound = (what: string): AppError => new AppError('not_found', `${what} not found`)
export const forbidden = (what: string): AppError => new AppError('forbidden', `You may not ${what}`)
