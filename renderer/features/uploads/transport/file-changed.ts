import { ApiError } from '../../../lib/client/api-client'
import { formatSize } from '../../../lib/texts/format'
import { messages } from '../../../lib/texts/messages'

export const fileChanged = ({ name }: Pick<File, 'name'>): ApiError =>
  new ApiError('invalid_input', messages.upload.fileChanged(name), 0, 'file')

/** The chosen file is not the one that the interrupted upload started with. */
export const fileIsOther = ({ filename, size }: { filename: string; size: number }): ApiError =>
  new ApiError('invalid_input', messages.upload.otherFile(filename, formatSize(size)), 0, 'file')

/** Throws ApiError if a file is no longer readable. Browsers refuse one that changed since it was chosen. */
export async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw fileChanged(file)
  }
}
