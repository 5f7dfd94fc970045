import { gzipSync } from 'node:zlib'
import { aTar } from '../linux-package'
import { sha256 } from '../system/sha256'

export const digestOf = (bytes: Buffer): string => sha256(bytes)

/** A tar without its end, to join several. */
const member = (name: string, bytes: Buffer): Buffer => aTar(name, bytes).subarray(0, -1024)

/**
 * The tar of an image layout whose only layer has this text, as `skopeo copy … oci-archive:` makes
 * it.
 */
export function anOciArchive(text: string) {
  const tar = aTar('hello.txt', Buffer.from(text))
  const layer = gzipSync(tar)
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: [`sha256:${digestOf(tar)}`] },
    }),
  )
  const type = (of: string) => `application/vnd.oci.image.${of}`
  const descriptor = (of: string, bytes: Buffer) => ({
    mediaType: type(of),
    digest: `sha256:${digestOf(bytes)}`,
    size: bytes.length,
  })
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: type('manifest.v1+json'),
      config: descriptor('config.v1+json', config),
      layers: [descriptor('layer.v1.tar+gzip', layer)],
    }),
  )
  const index = { schemaVersion: 2, manifests: [descriptor('manifest.v1+json', manifest)] }
  const members = [config, layer, manifest].map((bytes) =>
    member(`blobs/sha256/${digestOf(bytes)}`, bytes),
  )
  const archive = Buffer.concat([
    member('oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}')),
    ...members,
    aTar('index.json', Buffer.from(JSON.stringify(index))),
  ])
  return { archive: new Uint8Array(archive), manifest, layer }
}
