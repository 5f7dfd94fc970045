import { ApiError } from '../../../lib/client/api-client'
import { formatSize } from '../../../lib/words/format'
import { messages } from '../../../lib/words/messages'

/** The file on this computer is not what it was when it was chosen: changed, moved, deleted, or on a drive that left. */
export const fileChanged = ({ name }: Pick<File, 'name'>): ApiError =>
  new ApiError('invalid_input', messages.upload.fileChanged(name), 0, 'file')

/** The file that was chosen is not the one of which the host has the first part. */
export const fileIsOther = ({ filename, size }: { filename: string; size: number }): ApiError =>
  new ApiError('invalid_input', messages.upload.otherFile(filename, formatSize(size)), 0, 'file')

/** Throws ApiError when a file can no longer be read. Browsers refuse one that changed since it was chosen. */
export async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw fileChanged(file)
  }
}
