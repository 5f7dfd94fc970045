import { getSystemErrorMessage } from 'node:util'

/**
 * The system's name of a failure, such as `connection refused`; other errors keep their message.
 */
export const systemWords = (error: Error): string =>
  'errno' in error && typeof error.errno === 'number'
    ? getSystemErrorMessage(error.errno)
    : error.message
