import type { FileRecord } from '../../data/records/file-records'

/** The name of a file that lists files with their digests. */
export const SUMS = 'SHA256SUMS'

/** Formats the input of `sha256sum -c`. */
export function sha256Sums(files: readonly FileRecord[], names: readonly string[]): Buffer {
  return Buffer.from(
    files.map(({ sha256 }, index) => `${sha256}  ${names[index] ?? ''}\n`).join(''),
  )
}
