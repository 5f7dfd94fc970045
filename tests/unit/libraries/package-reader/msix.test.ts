import { readFileSync } from 'node:fs'
import { processorTime } from '../../../support/system/processor-time'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { factsOf, lookOf, survivesDamage } from '../../../support/looks'
import { aZip, type Member } from '../../../support/packages'

/** As electron-builder writes it, with a comment that looks like the identity. */
const MANIFEST = `\ufeff<?xml version="1.0" encoding="utf-8"?>
<!-- <Identity Name="other" Version="0"/> -->
<Package xmlns="http://schemas.microsoft.com/appx/manifest/foundation/windows10"
  xmlns:uap="http://schemas.microsoft.com/appx/manifest/uap/windows10">
  <Identity Name="Rocket.App" ProcessorArchitecture="x64" Publisher='CN="Rocket, Inc.", C=US' Version="1.4.2.0" />
  <Properties>
    <DisplayName>R&#228;ket &amp; Co</DisplayName>
    <PublisherDisplayName>Rocket Inc.</PublisherDisplayName>
    <Logo>assets\\StoreLogo.png</Logo>
  </Properties>
  <Dependencies>
    <TargetDeviceFamily Name="MSIXCore.Desktop" MinVersion="6.1.7601.0" MaxVersionTested="10.0.0.0" />
    <TargetDeviceFamily Name="Windows.Desktop" MinVersion="10.0.17763.0" MaxVersionTested="10.0.22000.1" />
  </Dependencies>
  <Applications>
    <Application Id="Rocket" Executable="app\\Rocket.exe" EntryPoint="Windows.FullTrustApplication">
      <uap:VisualElements DisplayName="Rocket" Square150x150Logo="assets\\Square150x150Logo.png" />
    </Application>
  </Applications>
</Package>`
const msixFacts = {
  ...noFacts('msix'),
  name: 'Räket & Co',
  app_id: 'Rocket.App',
  version: '1.4.2.0',
  publisher: 'Rocket Inc.',
  architectures: ['x64'],
  min_os: 'Windows 10.0.17763',
  is_signed: false,
}

const icon = (side: number) =>
  readFileSync(join(import.meta.dirname, `../../../../assets/icons/${side}x${side}.png`))

const aPackage = (manifest: string, ...members: Member[]) =>
  aZip([
    { name: 'app/Rocket.exe', bytes: Buffer.from('MZ') },
    ...members,
    { name: 'AppxManifest.xml', bytes: Buffer.from(manifest) },
  ])

/** The Authenticode signature of a real program. */
function signature(): Buffer {
  const tools = dirname(createRequire(import.meta.url).resolve('electron-winstaller/package.json'))
  const program = readFileSync(join(tools, 'vendor/signtool.exe'))
  return program.subarray(program.readUInt32LE(program.readUInt32LE(60) + 24 + 96 + 8 * 4) + 8)
}

describe('reads an MSIX package', () => {
  test('by its manifest', async () => {
    expect(await factsOf('rocket.msix', aPackage(MANIFEST))).toEqual(msixFacts)
  })

  test('without what is optional or in another file', async () => {
    const manifest = MANIFEST.replace(' ProcessorArchitecture="x64"', '')
      .replace(/<DisplayName>.*</, '<DisplayName>ms-resource:Name<')
      .replace(/<PublisherDisplayName>.*</, '<PublisherDisplayName>ms-resource:Publisher<')
      .replaceAll(/<TargetDeviceFamily .*\/>/g, '')
    const facts = {
      ...msixFacts,
      name: 'Rocket',
      publisher: 'Rocket, Inc.',
      architectures: [],
      min_os: null,
    }
    expect(await factsOf('rocket.msix', aPackage(manifest))).toEqual(facts)
    const neutral = MANIFEST.replace('x64', 'neutral').replace(
      `'CN="Rocket, Inc.", C=US'`,
      '"O=Rocket"',
    )
    expect(await factsOf('a.msix', aPackage(neutral))).toEqual({ ...msixFacts, architectures: [] })
  })

  test('reads the signer of an MSIX package', async () => {
    const name = 'AppxSignature.p7x'
    const signed = aPackage(MANIFEST, {
      name,
      bytes: Buffer.concat([Buffer.from('PKCX'), signature()]),
    })
    const sha256 = '277d42066a68326ba10b1874d393327404287c14a9c9db1c09d50698952a17dd'
    expect(await factsOf('a.msix', signed)).toMatchObject({ is_signed: true, signer: { sha256 } })
    const damaged = aPackage(MANIFEST, { name, bytes: Buffer.from('PKCX') })
    expect(await factsOf('a.msix', damaged)).toEqual({
      ...msixFacts,
      is_signed: true,
      signer: null,
    })
  })

  test('reads the largest variant of the logo', async () => {
    const members = [
      { name: 'assets/StoreLogo.png', bytes: icon(512) },
      { name: 'Assets/Square150x150Logo.scale-100.png', bytes: icon(128) },
      { name: 'Assets/Square150x150Logo.scale-200.png', bytes: icon(256) },
      {
        name: 'Assets/Square150x150Logo.scale-400.png',
        bytes: Buffer.concat([icon(512), Buffer.alloc(600_000)]),
      },
      { name: 'Assets/Square150x150LogoOther.png', bytes: icon(512) },
    ]
    expect((await lookOf('a.msix', aPackage(MANIFEST, ...members))).icon).toEqual(icon(256))
    expect((await lookOf('a.msix', aPackage(MANIFEST, ...members.slice(0, 1)))).icon).toEqual(
      icon(512),
    )
    const most = Buffer.concat([icon(128), Buffer.alloc(512 * 1024 - icon(128).length)])
    const padded = aPackage(MANIFEST, { name: 'assets/StoreLogo.png', bytes: most })
    expect((await lookOf('a.msix', padded)).icon).toEqual(most)
    const none = aPackage(MANIFEST, { name: 'assets/StoreLogo.png', bytes: Buffer.from('GIF89a') })
    expect((await lookOf('a.msix', none)).icon).toBeNull()
  })
})

describe('reads a bundle of app packages', () => {
  const inBundle = (...packages: string[]) => `<Bundle>
    <Identity Name="Rocket.App" Publisher="CN=Rocket" Version="1.5.0.0" />
    <Packages>${packages.join('')}</Packages></Bundle>`
  const app = (architecture: string) =>
    `<Package Type="application" Architecture="${architecture}" FileName="${architecture}.msix" />`
  const aBundle = (manifest: string, ...members: Member[]) =>
    aZip([
      ...members,
      { name: 'AppxMetadata/AppxBundleManifest.xml', bytes: Buffer.from(manifest) },
    ])
  const x64 = { name: 'x64.msix', bytes: aPackage(MANIFEST), isStored: true }

  test('by its manifest and its first app', async () => {
    const language = '<Package Type="resource" FileName="de.msix" />'
    const bundle = aBundle(inBundle(language, app('x64'), app('arm64')), x64)
    const facts = { ...msixFacts, version: '1.5.0.0', architectures: ['x64', 'arm64'] }
    expect(await factsOf('rocket.msixbundle', bundle)).toEqual(facts)
    expect(await factsOf('rocket.appxbundle', bundle)).toEqual(facts)
    expect(await factsOf('rocket.appx', aPackage(MANIFEST))).toEqual(msixFacts)
  })

  test('or says why it has no facts', async () => {
    const none = 'This is not a bundle of app packages: it has no AppxBundleManifest.xml.'
    expect(await factsOf('a.msixbundle', aPackage(MANIFEST))).toBe(none)
    expect(await factsOf('a.msixbundle', aBundle(inBundle(app('arm64')), x64))).toBe(
      'The package is damaged.',
    )
    await survivesDamage('a.msixbundle', aBundle(inBundle(app('x64')), x64))
  })
})

test('says why there are no facts', async () => {
  const none = 'This is not an MSIX package: it has no AppxManifest.xml.'
  expect(await factsOf('a.msix', aZip([{ name: 'other', bytes: Buffer.from('') }]))).toBe(none)
  expect(await factsOf('a.msix', aPackage('<Package/>'))).toBe('The package is damaged.')
  expect(await factsOf('a.msix', Buffer.alloc(0))).toBe(
    'The file is not a zip archive, or its end is missing.',
  )
  const large = aPackage(MANIFEST + ' '.repeat(600_000))
  expect(await factsOf('a.msix', large)).toBe(
    'AppxManifest.xml in the package is too large to read.',
  )
})

describe('XML that would take a matcher quadratic time takes little', () => {
  const many = 500_000
  test.for<[string, string]>([
    ['tags', '<a'.repeat(many / 2)],
    ['a long name', `<${'a'.repeat(many)}`],
    ['comments', '<!--'.repeat(many / 4)],
    ['attributes', `<Identity ${'a '.repeat(many / 2)}>`],
    ['quotes', `<Identity ${'a="'.repeat(many / 3)}>`],
    ['spaces', `<Identity a${' '.repeat(many - 20)}>`],
    ['entities', `<Identity Name="${'&'.repeat(many - 30)}">`],
  ])('%s', async ([, xml]) => {
    expect(await processorTime(() => factsOf('a.msix', aPackage(xml)))).toBeLessThan(1000)
  })
})

test('survives any damage', async () => {
  await survivesDamage('a.msix', aPackage(MANIFEST))
  await survivesDamage('a.msix', Buffer.from(MANIFEST), {
    pack: (bytes) => aPackage(bytes.toString('latin1')),
  })
})
