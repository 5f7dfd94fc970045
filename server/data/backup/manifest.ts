import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/json'
import { replaceFile } from '../../core/durable-file'
import { hashFile } from '../copy-files'

const MANIFEST = 'manifest.json'

/** The files of a backup besides blobs; any other name is rejected. */
const NAME = /^(library\.[1-9]\d{0,14}\.(log|snapshot\.json)|(settings|secrets)\.json|audit\/\d{4}-\d\d-\d\d\.jsonl)$/

const manifestSchema = z.object({
  format: z.literal('slipway-backup-1'),
  createdAt: z.string(),
  /** All files but the blobs, whose digests are in the library. */
  files: z.array(z.object({ name: z.string().regex(NAME), size: z.int(), sha256: z.string() })),
  blobs: z.int(),
})

type Manifest = z.infer<typeof manifestSchema>

/** Writes the manifest. It comes last: a folder without it is not a backup. */
export async function writeManifest(dir: string, names: readonly string[], blobs: number, now: Date): Promise<void> {
  const files: Manifest['files'] = []
  for (const name of names) {
    const path = join(dir, name)
    files.push({ name, size: (await stat(path)).size, sha256: await hashFile(path) })
  }
  const manifest: Manifest = { format: 'slipway-backup-1', createdAt: now.toISOString(), files, blobs }
  await replaceFile(join(dir, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
}

export async function isBackup(dir: string): Promise<boolean> {
  return parse(await readFile(join(dir, MANIFEST), 'utf8').catch(() => '')) !== undefined
}

/** Throws with a readable message unless every file matches the manifest. */
export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`${dir} is not a backup of Slipway: it has no ${MANIFEST}`)
  const manifest = parse(text)
  if (!manifest) throw new Error(`${join(dir, MANIFEST)} is damaged`)
  for (const { name, sha256 } of manifest.files) {
    const found = await hashFile(join(dir, name)).catch(() => undefined)
    if (found !== sha256) throw new Error(`${join(dir, name)} is damaged or missing: use an older backup`)
  }
  return manifest
}

const parse = (text: string): Manifest | undefined => manifestSchema.safeParse(parseJson(text)).data
