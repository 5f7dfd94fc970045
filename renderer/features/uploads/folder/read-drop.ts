import { loadPart } from '../../../lib/browser/load-part'
import type { UploadSource } from '../upload'

/**
 * The dropped files in order, each folder as one zip. Call it within the event: the browser empties
 * the data afterwards. `webkitGetAsEntry`, because only secure origins have
 * `getAsFileSystemHandle`.
 */
export function readDrop({ items }: DataTransfer): Promise<UploadSource[]> {
  const sources = [...items].flatMap((item) => {
    const entry = item.webkitGetAsEntry()
    if (entry?.isDirectory) return zipLater(entry as FileSystemDirectoryEntry)
    const file = item.getAsFile()
    return file ? Promise.resolve<UploadSource>(file) : []
  })
  return Promise.all(sources)
}

/** Chosen files in order; those of a chosen folder as one zip. */
export async function readChosen(files: FileList | null): Promise<UploadSource[]> {
  const chosen = [...(files ?? [])]
  if (!chosen.some(({ webkitRelativePath }) => webkitRelativePath !== '')) return chosen
  return [await (await loadReader()).readChosenFolder(chosen)]
}

const loadReader = () => loadPart(() => import('./read-folder'))

const zipLater = async (entry: FileSystemDirectoryEntry) => (await loadReader()).readFolder(entry)
