import { AppError, retryLater } from '../../core/errors'
import type { MadePicture, MakeResult } from '../../libraries/picture-maker/pictures'

/** When a client should retry if its picture waited too long, in seconds. */
const RETRY_S = 15

/** Returns the picture, or throws AppError with the reason why there is none. */
export function requireMade(result: MakeResult): MadePicture {
  if ('images' in result) return result

  const { reason, problem } = result
  if (problem === 'busy') throw retryLater('busy', reason, RETRY_S)

  throw new AppError(
    problem === 'type' ? 'unsupported_media_type' : 'invalid_input',
    reason,
    'file',
  )
}
