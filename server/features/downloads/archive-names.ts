import { foldName } from '../../libraries/zip-stream/stored-zip'
import { cleanFilename, splitName } from '../../texts/filename'

/** Device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=$|[. ])/i

/**
 * Returns names that can coexist in one folder on any system: no Windows devices, unique ignoring
 * case. The first of equal names keeps it, later ones get numbers. `reservedNames` are not used.
 */
export function archiveNames(
  filenames: readonly string[],
  reservedNames: readonly string[] = [],
): string[] {
  const used = new Set(reservedNames.map(foldName))
  // The next number per name, so that 5,000 equal names take 5,000 steps instead of 12 million.
  const numbers = new Map<string, number>()
  return filenames.map((filename) => {
    const [stem, extension] = splitName(cleanFilename(filename).replace(DEVICE, '_$1'))
    const key = foldName(stem + extension)

    let name = stem + extension
    let number = numbers.get(key) ?? 2
    for (; used.has(foldName(name)); number++) name = `${stem} (${number})${extension}`

    numbers.set(key, number)
    used.add(foldName(name))
    return name
  })
}
