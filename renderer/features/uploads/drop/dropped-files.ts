import type { UploadSource } from '../upload'

export const carriesFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true

/** The dropped files in order. Call it within the event: the browser empties the data afterwards. */
export function droppedFiles(data: DataTransfer): UploadSource[] {
  return [...data.items].flatMap((item) => {
    const file = item.getAsFile()
    if (!file) return []
    return item.webkitGetAsEntry()?.isDirectory ? [folder(file.name)] : [file]
  })
}

/** A folder appears with the reason for its refusal, instead of its thousands of files. */
const folder = (name: string): UploadSource => ({ name, size: 0, kind: 'folder', offerId: '' })
