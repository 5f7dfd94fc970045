import type { FileOrder } from '../../contract'
import { newestBy, type Collection, type SortedIndex } from '../../data/library/library'
import type { FileRecord } from '../../data/records/file-records'

type Compare = (a: FileRecord, b: FileRecord) => number

/** The files of each user in each order in which a list shows them. An order is sorted when it is first read. */
export class FileOrders {
  readonly #byTime: SortedIndex<FileRecord>
  readonly #byName: SortedIndex<FileRecord>
  readonly #bySize: SortedIndex<FileRecord>

  constructor(files: Collection<FileRecord>) {
    const newest = newestBy<FileRecord>((file) => file.uploadedAt)
    const sorted = (compare: Compare) =>
      files.sorted(
        (file) => [file.ownerId],
        (a, b) => compare(a, b) || newest(a, b),
      )
    this.#byTime = sorted(newest)
    this.#byName = sorted(compareNames)
    this.#bySize = sorted((a, b) => b.size - a.size)
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

/** Ignores case, and is much faster than a collator. */
function compareNames(a: FileRecord, b: FileRecord): number {
  const first = a.filename.toLowerCase()
  const second = b.filename.toLowerCase()
  return first === second ? 0 : first < second ? -1 : 1
}
