import { isLeftOut } from '../../../../server/libraries/zip-stream/folder'
import { messages } from '../../../lib/texts/messages'
import type { UploadSource } from '../upload'
import { FolderZip, type ReadMember } from './folder-zip'
import { inParallel } from './in-parallel'

/** A fixed time, so that equal folders make equal zips. Browsers report none for empty folders. */
const LONG_AGO = '1980-01-01T00:00:00.000Z'

/** A dropped folder as one zip. */
export function readFolder(entry: FileSystemDirectoryEntry): Promise<UploadSource> {
  return zipFolder(entry.name, () => listMembers(entry, ''))
}

/**
 * Files of a folder that was chosen in an `<input webkitdirectory>`, which leaves out empty
 * folders, as one zip.
 */
export function readChosenFolder(files: readonly File[]): Promise<UploadSource> {
  const [folder = ''] = files[0]?.webkitRelativePath.split('/') ?? []
  const members = files.filter(({ name }) => !isLeftOut(name))
  return zipFolder(folder, () =>
    Promise.resolve(
      members.map((file) => toMember(file, file.webkitRelativePath.slice(folder.length + 1))),
    ),
  )
}

/** A folder that cannot be zipped appears with the reason. */
async function zipFolder(folder: string, list: () => Promise<ReadMember[]>): Promise<UploadSource> {
  try {
    return new FolderZip(folder, await list())
  } catch (cause) {
    const problem = cause instanceof Error && !(cause instanceof DOMException) ? cause.message : ''
    return { name: folder, size: 0, problem: problem || messages.file.folderUnreadable }
  }
}

async function listMembers(folder: FileSystemDirectoryEntry, path: string): Promise<ReadMember[]> {
  const entries = (await readEntries(folder)).filter(
    (entry) => entry.isDirectory || !isLeftOut(entry.name),
  )
  const members = await inParallel(entries, async (entry): Promise<ReadMember[]> => {
    const below = path + entry.name
    if (entry.isDirectory) {
      const inside = await listMembers(entry as FileSystemDirectoryEntry, `${below}/`)
      return inside.length > 0 ? inside : [{ path: `${below}/`, size: 0, modifiedAt: LONG_AGO }]
    }
    const look = () => new Promise<File>((...done) => (entry as FileSystemFileEntry).file(...done))
    return [{ ...toMember(await look(), below), look }]
  })

  return members.flat()
}

const toMember = (file: File, path: string): ReadMember => ({
  path,
  size: file.size,
  modifiedAt: new Date(file.lastModified).toISOString(),
  file,
})

/** Browsers return some at a time, and none at the end. */
async function readEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done))
    if (some.length === 0) return all
    all.push(...some)
  }
}
