import type { Entry } from 'yauzl'
import { signingCertificate } from '../certificate/signing-certificate.ts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { isSmallPng } from '../../../core/small-png.ts'
import { findElements } from '../../../core/xml.ts'
import { openMember, readMembers, unpackMember } from '../zip/zip-package.ts'

const MANIFEST = 'AppxManifest.xml'
const BUNDLE = 'AppxMetadata/AppxBundleManifest.xml'
const SIGNATURE = 'AppxSignature.p7x'
/** Begins the signature, before its PKCS#7. */
const MAGIC = 'PKCX'
/** Manifests have some kB; we match them several times. */
const MOST_MANIFEST_BYTES = 512 * 1024
const MOST_ICON_BYTES = 512 * 1024
/**
 * Logos have variants by scale, size and theme: `Logo.scale-200.png`,
 * `Logo.targetsize-48_altform-unplated.png`.
 */
const VARIANT = /^(\.(scale|targetsize)-[\w-]+)?\.png$/i

/**
 * Reads an MSIX package: a zip with a manifest ("Package manifest schema reference", Microsoft).
 */
export async function readAppPackage(file: PackageFile): Promise<Look> {
  const members = await readMembers(file, (name) =>
    name === MANIFEST || name === SIGNATURE ? 'keep' : 'skip',
  )

  const manifest = members.get(MANIFEST)
  if (!manifest) throw new Unreadable('This is not an MSIX package: it has no AppxManifest.xml.')

  const xml = (await unpackMember(file, manifest, MOST_MANIFEST_BYTES)).toString('utf8')
  const [identity] = findElements(xml, 'Identity')
  if (!identity) throw new Error('It has no identity')

  const [visual] = findElements(xml, 'VisualElements')
  const architecture = identity.attribute('ProcessorArchitecture')?.toLowerCase() ?? 'neutral'

  const signature = members.get(SIGNATURE)
  const facts = {
    ...noFacts('msix'),
    name:
      literal(findElements(xml, 'DisplayName')[0]?.text) ??
      literal(visual?.attribute('DisplayName')),
    app_id: identity.attribute('Name'),
    version: identity.attribute('Version'),
    publisher:
      literal(findElements(xml, 'PublisherDisplayName')[0]?.text) ??
      commonName(identity.attribute('Publisher')),
    architectures: architecture === 'neutral' ? [] : [architecture],
    min_os: leastWindows(xml),
    is_signed: signature !== undefined,
    signer: signature ? await optional(() => readSigner(file, signature)) : null,
  }

  const logos = [visual?.attribute('Square150x150Logo'), findElements(xml, 'Logo')[0]?.text]
  return { facts, icon: await optional(() => readIcon(file, logos)) }
}

/**
 * Reads a bundle of packages, one for each processor ("Bundle manifest schema reference",
 * Microsoft).
 */
export async function readAppBundle(file: PackageFile): Promise<Look> {
  const members = await readMembers(file, (name) =>
    name === BUNDLE || name === SIGNATURE ? 'keep' : 'skip',
  )

  const manifest = members.get(BUNDLE)
  if (!manifest)
    throw new Unreadable('This is not a bundle of app packages: it has no AppxBundleManifest.xml.')

  const xml = (await unpackMember(file, manifest, MOST_MANIFEST_BYTES)).toString('utf8')
  const apps = findElements(xml, 'Package').filter(
    (it) => it.attribute('Type')?.toLowerCase() === 'application',
  )

  const first = apps[0]?.attribute('FileName')
  const [inner] = (await readMembers(file, (name) => (name === first ? 'keep' : 'skip'))).values()
  if (!inner) throw new Error('It has no app')
  const { facts, icon } = await readAppPackage(await openMember(file, inner))

  const architectures = apps.map((it) => it.attribute('Architecture')?.toLowerCase() ?? 'neutral')
  const signature = members.get(SIGNATURE)

  return {
    icon,
    facts: {
      ...facts,
      version: findElements(xml, 'Identity')[0]?.attribute('Version') ?? facts.version,
      architectures: architectures.includes('neutral') ? [] : [...new Set(architectures)],
      is_signed: signature !== undefined,
      signer: signature ? await optional(() => readSigner(file, signature)) : null,
    },
  }
}

/** Texts can be in a table of their own, which is not read. */
const literal = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text === '' || text.startsWith('ms-resource:')
    ? null
    : text

function commonName(subject: string | null): string | null {
  const match = /(?:^|,)\s*CN=(?:"([^"]*)"|([^,"]*))/.exec(subject ?? '')
  return match?.[1] ?? match?.[2] ?? null
}

/**
 * Returns the minimum version of families such as Windows.Desktop, from
 * `major.minor.build.revision`.
 */
function leastWindows(xml: string): string | null {
  const families = findElements(xml, 'TargetDeviceFamily').filter((it) =>
    it.attribute('Name')?.startsWith('Windows.'),
  )
  const version = families[0]?.attribute('MinVersion')
  return version ? `Windows ${version.split('.', 3).join('.')}` : null
}

async function readSigner(file: PackageFile, signature: Entry) {
  const bytes = await unpackMember(file, signature)
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('Not a signature')
  return signingCertificate(bytes.subarray(MAGIC.length))
}

/** The largest variant of the first logo that has one. */
async function readIcon(
  file: PackageFile,
  logos: readonly (string | null | undefined)[],
): Promise<Buffer | null> {
  const bases = logos
    .filter((it) => it?.toLowerCase().endsWith('.png'))
    .map((it) => (it ?? '').slice(0, -'.png'.length).replaceAll('\\', '/').toLowerCase())

  const isLogo = (name: string, base: string) =>
    name.toLowerCase().startsWith(base) && VARIANT.test(name.slice(base.length))
  const members = await readMembers(file, (name) =>
    bases.some((base) => isLogo(name, base)) ? 'keep' : 'skip',
  )

  for (const base of bases) {
    const variants = [...members].filter(([name]) => isLogo(name, base)).map(([, entry]) => entry)
    const small = variants.filter((it) => it.uncompressedSize <= MOST_ICON_BYTES)
    for (const entry of small
      .toSorted((a, b) => b.uncompressedSize - a.uncompressedSize)
      .slice(0, 3)) {
      const bytes = await unpackMember(file, entry, MOST_ICON_BYTES)
      if (isSmallPng(bytes)) return bytes
    }
  }
  return null
}
