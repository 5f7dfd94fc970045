import { cleanFilename, splitName } from '../files/filename'

/** What Windows keeps for devices, whatever extension follows. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=$|[. ])/i

/**
 * Names under which files can lie in one folder on any system: none is a device of Windows, and none is another but for
 * upper and lower case. The first of several keeps its name, the others are numbered. `taken`: names that are not free.
 */
export function archiveNames(filenames: readonly string[], taken: readonly string[] = []): string[] {
  const used = new Set(taken.map(folded))
  // Where to go on counting, so that 5,000 files of one name take 5,000 steps and not 12 million.
  const numbers = new Map<string, number>()
  return filenames.map((filename) => {
    const [stem, extension] = splitName(cleanFilename(filename).replace(DEVICE, '_$1'))
    const key = folded(stem + extension)
    let name = stem + extension
    let number = numbers.get(key) ?? 2
    for (; used.has(folded(name)); number++) name = `${stem} (${number})${extension}`
    numbers.set(key, number)
    used.add(folded(name))
    return name
  })
}

const folded = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase()
