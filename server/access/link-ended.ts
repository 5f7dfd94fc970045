import { AppError } from '../core/errors'

/** The same error for every token that opens nothing, so that it does not tell why. */
export const linkEnded = (): AppError =>
  new AppError(
    'not_found',
    'This link has ended or never existed, or its password is missing or wrong. ' +
      'Ask the person who sent it',
  )
