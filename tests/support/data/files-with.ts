import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Lists the files below a folder that contain one of these words, in their bytes or name. */
export async function filesWith(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const bytes = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : ''
    if (words.some((word) => entry.name.includes(word) || bytes.includes(word))) found.push(path)
  }
  return found
}
