import { cleanFilename, splitName } from './filename'

/** What Windows keeps for devices, whatever extension follows. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=$|[. ])/i

/**
 * Names under which files can lie in one folder on any system: none is a device of Windows, and none is another but for
 * upper and lower case. The first of several keeps its name, the others are numbered. `taken`: names that are not free.
 */
export function archiveNames(filenames: readonly string[], taken: readonly string[] = []): string[] {
  const used = new Set(taken.map(folded))
  return filenames.map((filename) => {
    const [stem, extension] = splitName(cleanFilename(filename).replace(DEVICE, '_$1'))
    let name = stem + extension
    for (let number = 2; used.has(folded(name)); number++) name = `${stem} (${number})${extension}`
    used.add(folded(name))
    return name
  })
}

const folded = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase()
