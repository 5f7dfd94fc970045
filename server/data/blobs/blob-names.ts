import { randomBytes } from 'node:crypto'

const BLOB_ID = /^[0-9a-f]{32}$/
const SHARD = /^[0-9a-f]{2}$/
/** The file that describes all blobs. */
export const CATALOGUE = 'catalogue.json'

/**
 * Small files beside a blob: `<blob>.facts.json` has what a package says, `<blob>.icon.png` its
 * icon, `<blob>.index.json` what repositories list of it, `<blob>.blockmap` the map of its blocks
 * for updaters, `<blob>.zsync` the sums of its blocks.
 */
export const sidecarNames = ['facts.json', 'icon.png', 'index.json', 'blockmap', 'zsync'] as const
export type SidecarName = (typeof sidecarNames)[number]

export const newBlobId = () => randomBytes(16).toString('hex')
export const isShard = (name: string) => SHARD.test(name)
export const isBlobId = (name: string) => BLOB_ID.test(name)
/** The ID of a blob, or of the one that a sidecar belongs to; undefined for other names. */
export function blobOf(name: string): string | undefined {
  const [blobId = '', ...sidecar] = name.split('.')
  const isKnown = sidecar.length === 0 || sidecarNames.some((it) => it === sidecar.join('.'))
  return isKnown && isBlobId(blobId) ? blobId : undefined
}
/** Whether earlier versions wrote this file, beside a blob or once for all. */
export const isOldSidecar = (name: string) => /^([0-9a-f]{32}\.json|sidecars-are-true)$/.test(name)
