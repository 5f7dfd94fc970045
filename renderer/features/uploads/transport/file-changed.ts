import { ApiError } from '../../../lib/client/api-client'
import { formatSize } from '../../../lib/texts/format'

export const fileChanged = ({ name }: Pick<File, 'name'>): ApiError =>
  new ApiError(
    'invalid_input',
    `${name} was changed, moved or deleted on this computer. Choose it again to upload its ` +
      'current version.',
    0,
    'file',
  )

/** The chosen file is not the one that the interrupted upload started with. */
export const fileIsOther = ({ filename, size }: { filename: string; size: number }): ApiError =>
  new ApiError(
    'invalid_input',
    `That is not the file whose upload was interrupted. Choose ${filename} of ` +
      `${formatSize(size)}, unchanged since then, or discard the upload.`,
    0,
    'file',
  )

/**
 * Throws ApiError if a file is no longer readable. Browsers refuse one that changed since it was
 * chosen.
 */
export async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw fileChanged(file)
  }
}
