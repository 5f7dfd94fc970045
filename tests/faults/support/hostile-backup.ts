import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeLine, encodeLine } from '../../../server/data/library/journal/log-line'
import { sha256 } from '../../support/system/sha256'

/** A file of a backup, as its manifest lists it. */
interface ManifestFile {
  name: string
  size: number
  sha256: string
}

/** Adds steps to the library of a backup, as an attacker can: every checksum is right. */
export async function addToLibrary(backup: string, ...steps: unknown[]): Promise<void> {
  const name = (await readdir(backup)).find((it) => /^library\.\d+\.log$/.test(it))
  if (name === undefined) throw new Error(`${backup} has no library`)

  const path = join(backup, name)
  const log = await readFile(path)
  const first = decodeLine(log, 0, log.indexOf('\n'))
  if (!first) throw new Error(`${path} begins with a damaged line`)

  await appendFile(path, encodeLine(first.s + 1, JSON.stringify(steps)))
  await relist(backup, name)
}

/** Updates the size and checksum of a file in the manifest. */
export async function relist(backup: string, name: string): Promise<void> {
  const bytes = await readFile(join(backup, name))
  const changed = { name, size: bytes.length, sha256: sha256(bytes) }
  await changeManifest(backup, (files) =>
    files.map((file) => (file.name === name ? changed : file)),
  )
}

/** Changes the list of files in the manifest. */
export async function changeManifest(
  backup: string,
  change: (files: ManifestFile[]) => ManifestFile[],
): Promise<void> {
  const path = join(backup, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { files: ManifestFile[] }

  await writeFile(path, JSON.stringify({ ...manifest, files: change(manifest.files) }))
}
