import { X509Certificate } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { makeAuthority } from '../../../server/libraries/certificates/certificate'
import { aBinaryXml, aResourceTable, attribute, withSigningBlock } from '../../support/android-package'
import { anApk, type Member } from '../../support/packages'

interface Rocket {
  version?: string
  build?: number
  /** In DER. Undefined: not signed. */
  certificate?: Buffer
  permissions?: readonly string[]
  /** Whether it has an icon. */
  hasIcon?: boolean
}

const V2 = 0x7109871a

/** An Android app as people build it: with an icon, a processor, permissions and a signature. */
export function aRocket({ version = '1.4', build = 104, certificate, permissions = [], hasIcon = true }: Rocket) {
  const manifest = aBinaryXml({
    name: 'manifest',
    attributes: [
      ['package', 'com.acme.rocket'],
      [attribute.versionCode, build],
      [attribute.versionName, version],
    ],
    children: [
      {
        name: 'uses-sdk',
        attributes: [
          [attribute.minSdk, 26],
          [attribute.targetSdk, 34],
        ],
      },
      ...permissions.map((name) => ({ name: 'uses-permission', attributes: [[attribute.name, name]] as const })),
      {
        name: 'application',
        attributes: [
          [attribute.label, 'Rocket'],
          [attribute.icon, { resource: 0x7f010000 }],
        ],
      },
    ],
  })
  const members: Member[] = [{ name: 'lib/arm64-v8a/librocket.so', bytes: Buffer.alloc(1) }]
  if (hasIcon) {
    members.push({ name: 'resources.arsc', bytes: aResourceTable([[{ value: 'res/icon.png', density: 480 }]]) })
    members.push({ name: 'res/icon.png', bytes: aPicture(48) })
  }
  const apk = anApk(manifest, ...members)
  return new Uint8Array(certificate ? withSigningBlock(apk, { [V2]: certificate }) : apk)
}

/** A certificate in DER that signs itself. */
export const aCertificate = (): Buffer =>
  new X509Certificate(makeAuthority({ names: ['rocket.example'], addresses: [] }, new Date()).certificate).raw

/** A whole PNG, half of it orange. */
function aPicture(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: side }, (_, row) => {
    const pixel = row < side / 2 ? [226, 88, 34] : [20, 60, 90]
    return Buffer.from([0, ...Array.from({ length: side }, () => pixel).flat()])
  })
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const part = Buffer.alloc(body.length + 8)
  part.writeUInt32BE(content.length, 0)
  part.set(body, 4)
  part.writeUInt32BE(crc32(body), body.length + 4)
  return part
}
