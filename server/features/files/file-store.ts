import { fileKind, type FileKind, type FileOrder } from '../../contract'
import {
  cut,
  newestBy,
  TextIndex,
  type Collection,
  type Index,
  type Library,
  type Page,
  type ResultPage,
  type Search,
  type SortedIndex,
  type Transaction,
  type UniqueIndex,
} from '../../data/library/library'
import type { Sources } from '../../core/clock'
import { isUnmapped } from '../../data/blobs/block-map/places'
import { isIndexed } from '../../contract/files/package-index'
import { readExtension } from '../../contract/files/formats'
import type { FileRecord, PackagePart } from '../../data/records/file-records'

export type NewFile = Omit<FileRecord, 'id' | 'uploadedAt'>

interface OwnSearch {
  /** In lower case. Empty matches every name. */
  text: string
  /** Undefined: both public and private files. */
  isPublic: boolean | undefined
  /** Whether to list only files that people without an account sent. */
  isReceived: boolean
  sort: FileOrder
  /** Limits the search to these ids. */
  within?: ReadonlySet<string> | undefined
}

type Compare = (a: FileRecord, b: FileRecord) => number

/**
 * The files of each user in each order of the lists, without those for previews. An order is sorted
 * when it is first read.
 */
class FileOrders {
  readonly #byTime: SortedIndex<FileRecord>
  readonly #byName: SortedIndex<FileRecord>
  readonly #bySize: SortedIndex<FileRecord>

  constructor(files: Collection<FileRecord>) {
    const newest = newestBy<FileRecord>((file) => file.uploadedAt)
    const sortBy = (compare: Compare) =>
      files.sorted(
        (file) => (file.previewOf === undefined ? [file.ownerId] : []),
        (a, b) => compare(a, b) || newest(a, b),
      )
    this.#byTime = sortBy(newest)
    this.#byName = sortBy(compareNames)
    this.#bySize = sortBy((a, b) => b.size - a.size)
  }

  count(userId: string): number {
    return this.#byTime.size(userId)
  }

  list(userId: string, order: FileOrder): readonly FileRecord[] {
    switch (order) {
      case 'newest':
        return this.#byTime.get(userId)
      case 'oldest':
        return this.#byTime.get(userId).toReversed()
      case 'name':
        return this.#byName.get(userId)
      case 'name_desc':
        return this.#byName.get(userId).toReversed()
      case 'largest':
        return this.#bySize.get(userId)
      case 'smallest':
        return this.#bySize.get(userId).toReversed()
    }
  }
}

/** Compares names ignoring case, much faster than a collator. */
function compareNames(a: FileRecord, b: FileRecord): number {
  const first = a.filename.toLowerCase()
  const second = b.filename.toLowerCase()
  return first === second ? 0 : first < second ? -1 : 1
}

/** The files of all users: records in the library, bytes in blobs. */
export class FileStore {
  readonly #files: Collection<FileRecord>
  readonly #own: FileOrders
  readonly #public: SortedIndex<FileRecord>
  readonly #builds: SortedIndex<FileRecord>
  readonly #unread: Index<FileRecord>
  readonly #unmapped: Index<FileRecord>
  readonly #byBlob: UniqueIndex<FileRecord>
  readonly #used: { get(userId: string): number }
  readonly #received: SortedIndex<FileRecord>
  readonly #receivedBytes: { get(userId: string): number }
  readonly #names: TextIndex<FileRecord>
  readonly #forPreviews: Index<FileRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
  ) {
    this.#files = library.collection('files')

    const newest = newestBy<FileRecord>((file) => file.uploadedAt)
    this.#names = new TextIndex(this.#files, {
      text: (file) => (file.previewOf === undefined ? file.filename.toLowerCase() : ''),
      owner: (file) => file.ownerId,
      isPublic: (file) => file.isPublic,
      order: newest,
    })

    this.#own = new FileOrders(this.#files)
    this.#public = this.#files.sorted((file) => (file.isPublic ? ['public'] : []), newest)
    this.#builds = this.#files.sorted(
      (file) =>
        fileKind(file.filename) === 'other' || file.previewOf !== undefined ? [] : [file.ownerId],
      newest,
    )

    this.#unread = this.#files.index((file) => (isUnread(file) ? 'unread' : undefined))
    this.#unmapped = this.#files.index((file) => (isUnmapped(file) ? 'unmapped' : undefined))
    this.#byBlob = this.#files.uniqueIndex((file) => file.blobId)

    this.#used = this.#files.sum(
      (file) => file.ownerId,
      (file) => file.size,
    )
    this.#received = this.#files.sorted((file) => (file.received ? [file.ownerId] : []), newest)
    this.#forPreviews = this.#files.index((file) => file.previewOf && 'previews')
    this.#receivedBytes = this.#files.sum(
      (file) => file.ownerId,
      (file) => (file.received ? file.size : 0),
    )
  }

  find(id: string): FileRecord | undefined {
    return this.#files.get(id)
  }

  ownedBy(userId: string): readonly FileRecord[] {
    return this.#own.list(userId, 'newest')
  }

  allPublic(): readonly FileRecord[] {
    return this.#public.get('public')
  }

  /** Lists the files that people without an account sent to a user, newest first. */
  receivedOf(userId: string): readonly FileRecord[] {
    return this.#received.get(userId)
  }

  /** Lists the files for previews, of all users. */
  forPreviews(): readonly FileRecord[] {
    return this.#forPreviews.get('previews')
  }

  /** Returns the bytes of the files that people without an account sent to a user. */
  receivedBy(userId: string): number {
    return this.#receivedBytes.get(userId)
  }

  /** Returns a page of a user's files. */
  searchOwn(
    owner: string,
    { text, isPublic, isReceived, sort, within }: OwnSearch,
    page: Page,
  ): ResultPage<FileRecord> {
    const all = this.#own.list(owner, sort)
    if (text === '' && isPublic === undefined && !isReceived && !within) return cut(all, page)

    // The index of names supports only the newest first.
    if (sort === 'newest' && !isReceived && !within)
      return this.#names.search(all, { text, owner, isPublic }, page)

    const isMatch = (file: FileRecord) =>
      within?.has(file.id) !== false &&
      (!isReceived || file.received !== undefined) &&
      (isPublic === undefined || file.isPublic === isPublic) &&
      file.filename.toLowerCase().includes(text)

    return cut(all.filter(isMatch), page)
  }

  /** Returns a page of the public files, newest first. */
  searchPublic(
    search: Pick<Search, 'text' | 'without' | 'isNameMatch'>,
    page: Page,
  ): ResultPage<FileRecord> {
    if (search.text === '' && !search.without?.size) return cut(this.allPublic(), page)
    return this.#names.search(this.allPublic(), { ...search, isPublic: true }, page)
  }

  /** Returns application packages, newest first. */
  buildsOf(userId: string): readonly FileRecord[] {
    return this.#builds.get(userId)
  }

  /** Returns packages that have not been read completely. */
  unread(): readonly FileRecord[] {
    return this.#unread.get('unread')
  }

  /** Returns programs without a block map, and AppImages whose zsync data is not known yet. */
  unmapped(): readonly FileRecord[] {
    return this.#unmapped.get('unmapped')
  }

  usedBy(userId: string): number {
    return this.#used.get(userId)
  }

  countOf(userId: string): number {
    return this.#own.count(userId)
  }

  /** Sums up a user's files by kind, largest first. */
  byKind(userId: string): { kind: FileKind; files: number; size: number }[] {
    const forPreviews = this.forPreviews().filter(({ ownerId }) => ownerId === userId)
    const all = [...this.ownedBy(userId), ...forPreviews]
    const groups = Map.groupBy(all, (file) => fileKind(file.filename))
    const sums = [...groups].map(([kind, files]) => ({
      kind,
      files: files.length,
      size: files.reduce((sum, file) => sum + file.size, 0),
    }))
    return sums.sort((a, b) => b.size - a.size)
  }

  add(tx: Transaction, file: NewFile): FileRecord {
    const record: FileRecord = {
      ...file,
      id: this.sources.newId(),
      uploadedAt: this.sources.now().toISOString(),
    }
    tx.put(this.#files, record.id, record)
    return record
  }

  async setVisibility(id: string, isPublic: boolean): Promise<FileRecord | undefined> {
    return this.library.transact((tx) => this.changeVisibility(tx, id, isPublic))
  }

  /** Makes a file public or private with another change. Returns it, or undefined if it is gone. */
  changeVisibility(tx: Transaction, id: string, isPublic: boolean): FileRecord | undefined {
    const current = this.#files.get(id)
    if (!current || current.isPublic === isPublic) return current

    const changed = { ...current, isPublic }
    tx.put(this.#files, id, changed)
    return changed
  }

  /** Saves digests and sizes that were computed later. */
  async setUpdate(
    id: string,
    update: Pick<FileRecord, 'crc32' | 'sha512' | 'sha1' | 'blockMapSize' | 'zsyncSize'>,
  ): Promise<void> {
    await this.library.transact((tx) => {
      const current = this.#files.get(id)
      if (current) tx.put(this.#files, id, { ...current, ...update })
    })
  }

  /**
   * Saves the facts of a package. Runs `also` with the changed record in the same transaction.
   * Returns undefined if the file was deleted.
   */
  async setFacts(
    id: string,
    { facts, hasIndex, unreadable, isPart }: PackagePart,
    also: (tx: Transaction, changed: FileRecord) => void = () => undefined,
  ) {
    return this.library.transact((tx) => {
      const current = this.#files.get(id)

      if (!current) return undefined
      const changed: FileRecord = { ...current, facts, hasIndex, unreadable, isPart }
      tx.put(this.#files, id, changed)
      also(tx, changed)
      return changed
    })
  }

  /**
   * Removes the record in the transaction that trashes it. The bytes stay until the trash is
   * emptied.
   */
  drop(tx: Transaction, file: FileRecord): void {
    tx.delete(this.#files, file.id)
  }

  /** Stores a record that was restored or got another owner. */
  put(tx: Transaction, file: FileRecord): void {
    tx.put(this.#files, file.id, file)
  }

  /** Whether a record names a blob; otherwise it is an orphan. */
  holdsBlob(blobId: string): boolean {
    return this.#byBlob.get(blobId) !== undefined
  }
}

/** Whether a package must be read again: an earlier version read less. */
const isUnread = ({ facts, hasIndex, filename }: FileRecord): boolean =>
  (facts?.isPartial ?? (facts && hasIndex === undefined && isIndexed(facts.kind))) ||
  (facts === undefined && readExtension(filename) !== undefined)
