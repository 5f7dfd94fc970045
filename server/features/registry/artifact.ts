import { sha256Of } from '../../core/sha256'
import type { FileRecord } from '../../data/records/file-records'
import { oneLine } from '../../contract/unseen'
import { IMAGE_MANIFEST } from './oci-archive'

/**
 * The empty configuration of an artifact (OCI image specification 1.1, "Guidance for an empty
 * descriptor").
 */
export const EMPTY = Buffer.from('{}')
export const EMPTY_DIGEST = digestOf(EMPTY)

/** Prints the manifest of an artifact: the files of a release, each as a layer with its name. */
export function printArtifact(files: readonly FileRecord[], createdAt: string): Buffer {
  const manifest = {
    schemaVersion: 2,
    mediaType: IMAGE_MANIFEST,
    artifactType: 'application/vnd.slipway.release',
    config: {
      mediaType: 'application/vnd.oci.empty.v1+json',
      digest: EMPTY_DIGEST,
      size: EMPTY.length,
    },
    layers: files.map(({ filename, size, sha256 }) => ({
      mediaType: 'application/octet-stream',
      digest: `sha256:${sha256}`,
      size,
      annotations: { 'org.opencontainers.image.title': oneLine(filename) },
    })),
    annotations: { 'org.opencontainers.image.created': createdAt },
  }

  return Buffer.from(JSON.stringify(manifest))
}

export function digestOf(bytes: Buffer): string {
  return `sha256:${sha256Of(bytes, 'hex')}`
}
