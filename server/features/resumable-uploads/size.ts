import { MAX_UPLOAD_BYTES } from '../../contract'
import { AppError } from '../../core/errors'

/** The bytes that `Upload-Length` names. Throws `too_large` and, for an empty file, `invalid_input`. */
export function uploadSize(header: string): number {
  const size = Number(header)
  if (size > MAX_UPLOAD_BYTES) throw new AppError('too_large', 'The file is larger than 2 GB', 'file')
  if (size === 0) throw new AppError('invalid_input', 'The file is empty', 'file')
  return size
}
