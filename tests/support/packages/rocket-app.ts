import { X509Certificate } from 'node:crypto'
import { makeAuthority } from '../../../server/libraries/certificates/certificate'
import { aBinaryXml, aResourceTable, attribute, withSigningBlock } from '../android-package'
import { anApk, type Member } from '../packages'
import { aPicture } from '../pictures'

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
export function aRocket({
  version = '1.4',
  build = 104,
  certificate,
  permissions = [],
  hasIcon = true,
}: Rocket) {
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
      ...permissions.map((name) => ({
        name: 'uses-permission',
        attributes: [[attribute.name, name]] as const,
      })),
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
    members.push({
      name: 'resources.arsc',
      bytes: aResourceTable([[{ value: 'res/icon.png', density: 480 }]]),
    })
    members.push({ name: 'res/icon.png', bytes: aPicture({ width: 48 }) })
  }
  const apk = anApk(manifest, ...members)
  return new Uint8Array(certificate ? withSigningBlock(apk, { [V2]: certificate }) : apk)
}

/** A certificate in DER that signs itself. */
export const aCertificate = (): Buffer =>
  new X509Certificate(
    makeAuthority({ names: ['rocket.example'], addresses: [] }, new Date()).certificate,
  ).raw
