import type { UploadSource } from '../queue/upload'

/** Whether files are being dragged; texts and links are none of our business. */
export const carriesFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true

/** What was dropped, in its order. Must run within the event: a browser forgets it afterwards. */
export function droppedFiles(data: DataTransfer): UploadSource[] {
  return [...data.items].flatMap((item) => {
    const file = item.getAsFile()
    if (!file) return []
    return item.webkitGetAsEntry()?.isDirectory ? [folder(file.name)] : [file]
  })
}

/** A folder is shown with the reason why it is not taken, instead of thousands of files that nobody meant. */
const folder = (name: string): UploadSource => ({ name, size: 0, kind: 'folder', offerId: '' })
