import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeLine } from '../../../server/data/library/journal/log-line'
import { sha256 } from '../../support/system/sha256'

interface Listed {
  name: string
  size: number
  sha256: string
}

/** Adds steps to the library of a backup, as an attacker can: every checksum is right. */
export async function addToLibrary(backup: string, ...steps: unknown[]): Promise<void> {
  const name = (await readdir(backup)).find((it) => /^library\.\d+\.log$/.test(it)) ?? ''
  const path = join(backup, name)
  const [first = ''] = (await readFile(path, 'utf8')).split('\n')
  const { s } = JSON.parse(first.slice(9)) as { s: number }
  await appendFile(path, encodeLine(s + 1, JSON.stringify(steps)))
  await relist(backup, name)
}

/** Lists a file of the backup as it is now. */
export async function relist(backup: string, name: string): Promise<void> {
  const bytes = await readFile(join(backup, name))
  const now = { name, size: bytes.length, sha256: sha256(bytes) }
  await changeManifest(backup, (files) => files.map((file) => (file.name === name ? now : file)))
}

export async function changeManifest(
  backup: string,
  change: (files: Listed[]) => Listed[],
): Promise<void> {
  const path = join(backup, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { files: Listed[] }
  await writeFile(path, JSON.stringify({ ...manifest, files: change(manifest.files) }))
}
