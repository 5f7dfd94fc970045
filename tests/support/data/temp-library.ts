import { onTestFinished } from 'vitest'
import { Library, type Collection, type LibraryOptions } from '../../../server/data/library/library'
import type { CollectionName } from '../../../server/data/records/records'

export const silentLog = { info: () => undefined, error: () => undefined }

export interface Note {
  id: string
  text: string
  owner?: string
}

/** A library that is closed after the test. */
export async function openLibrary(
  dir: string,
  options: Partial<LibraryOptions> = {},
): Promise<Library> {
  const library = await Library.open({ dir, log: silentLog, ...options })
  onTestFinished(() => library.close())
  return library
}

export const note = (id: string, text = `text of ${id}`): Note => ({ id, text })

/** A collection with simple records: the library does not look inside them. */
export const collectionAs = <T extends object>(
  library: Library,
  name: CollectionName,
): Collection<T> => library.collection(name) as unknown as Collection<T>

/** Puts one note per id, each in a transaction of its own, and waits for all. */
export async function putNotes(library: Library, ...ids: string[]): Promise<void> {
  const notes = collectionAs<Note>(library, 'posts')
  await Promise.all(ids.map((id) => library.transact((tx) => tx.put(notes, id, note(id)))))
}

export const noteIds = (library: Library) =>
  [...collectionAs<Note>(library, 'posts').values()].map(({ id }) => id)
