import { randomBytes } from 'node:crypto'

const BLOB_ID = /^[0-9a-f]{32}$/
const SHARD = /^[0-9a-f]{2}$/
/** The file that describes all blobs. */
export const CATALOGUE = 'catalogue.json'

/**
 * Sidecars of a blob: `<blob>.facts.json` has the facts of a package, `<blob>.icon.png` its icon,
 * `<blob>.index.json` its repository entry, `<blob>.blockmap` the block map for updaters,
 * `<blob>.zsync` the block sums.
 */
export const sidecarNames = [
  'facts.json',
  'icon.png',
  'index.json',
  'devices.json',
  'blockmap',
  'zsync',
] as const
export type SidecarName = (typeof sidecarNames)[number]

export const newBlobId = () => randomBytes(16).toString('hex')
export const isShard = (name: string) => SHARD.test(name)
export const isBlobId = (name: string) => BLOB_ID.test(name)
/**
 * Returns the id of the blob that a file is, or is a sidecar of. Returns undefined for other names.
 */
export function blobOf(name: string): string | undefined {
  const [blobId = '', ...sidecar] = name.split('.')
  const isKnown = sidecar.length === 0 || sidecarNames.some((it) => it === sidecar.join('.'))
  return isKnown && isBlobId(blobId) ? blobId : undefined
}
