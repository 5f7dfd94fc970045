import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hashFile } from '../copy-files'
import { StoredFile } from '../stored-file'

export const MANIFEST = 'manifest.json'

/** The files of a backup besides blobs; any other name is rejected. */
const NAME = new RegExp(
  `^(${[
    String.raw`library\.[1-9]\d{0,14}\.(log|snapshot\.json)`,
    String.raw`(settings|secrets|release-keys|feed-history)\.json`,
    String.raw`feed-history\/[\w-]{1,64}\.json`,
    String.raw`audit\/\d{4}-\d\d-\d\d\.jsonl`,
  ].join('|')})$`,
)

const manifestSchema = z.object({
  format: z.literal('slipway-backup-1'),
  createdAt: z.string(),
  /** All files but the blobs, whose digests are in the library. */
  files: z.array(z.object({ name: z.string().regex(NAME), size: z.int(), sha256: z.string() })),
  blobs: z.int(),
  /** Blobs whose bytes differ from their records. */
  damaged: z.array(z.string()).optional(),
  /** Missing: made by a version that did not read what it linked. */
  isCompared: z.literal(true).optional(),
})

type Manifest = z.infer<typeof manifestSchema>

const manifestIn = (dir: string) =>
  new StoredFile(manifestSchema, join(dir, MANIFEST), { onDamage: 'Use an older backup.' })

/** Writes the manifest. It comes last: a folder without it is not a backup. */
export async function writeManifest(
  dir: string,
  names: readonly string[],
  { now, ...blobs }: { blobs: number; damaged: string[]; now: Date },
): Promise<void> {
  const files: Manifest['files'] = []
  for (const name of names) {
    const path = join(dir, name)
    files.push({ name, size: (await stat(path)).size, sha256: await hashFile(path) })
  }

  const manifest: Manifest = {
    format: 'slipway-backup-1',
    createdAt: now.toISOString(),
    files,
    ...blobs,
    isCompared: true,
  }

  await manifestIn(dir).write(manifest)
}

/** Returns the damaged blobs of a backup, or undefined if it did not read all of them. */
export async function readDamaged(dir: string): Promise<string[] | undefined> {
  const manifest = await manifestIn(dir)
    .read()
    .catch(() => null)
  return manifest?.isCompared && manifest.damaged
}

export async function isBackup(dir: string): Promise<boolean> {
  const manifest = manifestIn(dir).read()
  return (await manifest.catch(() => null)) !== null
}

/** Throws with a readable message unless every file matches the manifest. */
export async function readManifest(dir: string): Promise<Manifest> {
  const manifest = await manifestIn(dir).read()
  if (!manifest) throw new Error(`${dir} is not a backup of Slipway: it has no ${MANIFEST}`)
  for (const { name, sha256 } of manifest.files) {
    const digest = await hashFile(join(dir, name)).catch(() => undefined)
    if (digest !== sha256)
      throw new Error(`${join(dir, name)} is damaged or missing: use an older backup`)
  }
  return manifest
}
