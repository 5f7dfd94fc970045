import { isIndexed } from '../../contract/files/package-index'
import type { FileRecord } from '../../data/records/file-records'
import { packageExtension } from '../../libraries/package-reader/package-names'
import { extensionOf } from '../../texts/filename'

export const NOT_READ = 'This package has not been read yet.'

const isPackageName = (filename: string): boolean => packageExtension(filename) !== undefined

/** A sentence that says why a file has no facts. */
export function whyNoFacts({ facts, filename, unreadable }: FileRecord): string {
  if (unreadable !== undefined) return unreadable
  if (isPackageName(filename) && facts === undefined) return NOT_READ
  const extension = extensionOf(filename)
  // A zip is a package only with an app in it.
  if (isPackageName(filename) || extension === '') return 'This file is not a package, so there is nothing to read.'
  return `Slipway does not read .${extension} files.`
}

/** A sentence that says why repositories cannot list a file. */
export function whyNoIndex({ facts, unreadable, filename }: FileRecord): string {
  if (unreadable !== undefined) return unreadable
  const isWaiting = facts ? isIndexed(facts.kind) : facts === undefined && isPackageName(filename)
  return isWaiting ? NOT_READ : 'Package managers list no files of this kind.'
}
