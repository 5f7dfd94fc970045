import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { printSource } from '../../../../server/features/repositories/updaters/altstore'
import { printCask } from '../../../../server/features/repositories/updaters/homebrew'
import { printScoop } from '../../../../server/features/repositories/updaters/scoop'
import { parseSignature } from '../../../../server/features/repositories/updaters/signature'
import { printAppcast } from '../../../../server/features/repositories/updaters/sparkle'
import { printTauri } from '../../../../server/features/repositories/updaters/tauri'
import { printBox } from '../../../../server/features/repositories/updaters/vagrant'
import {
  describePackage,
  printWinget,
} from '../../../../server/features/repositories/updaters/winget'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { aBuild, aFeed, ed25519, sha256, tauri } from './a-feed'

describe('the document of an updater', () => {
  test('Scoop gets what its schema.json allows, for each processor', () => {
    const url = z.url().regex(/^[^$]+$/)
    const architecture = z.strictObject({
      url,
      hash: z.string().regex(/^[a-fA-F0-9]{64}$/),
      bin: z.string().optional(),
    })
    const schema = z.strictObject({
      version: z.string().regex(/^[\w.\-+_]+$/),
      description: z.string(),
      homepage: z.url(),
      license: z.string(),
      innosetup: z.boolean().optional(),
      architecture: z.strictObject({
        '64bit': architecture.optional(),
        '32bit': architecture.optional(),
        arm64: architecture.optional(),
      }),
    })
    const installer = aBuild('Rocket Setup.exe', '1.0.0', { facts: { kind: 'exe' } })
    const portable = aBuild('rocket-arm64.exe', '1.0.0', {
      architectures: ['arm64'],
      facts: { kind: 'exe', architectures: ['arm64'] },
    })
    const printed = schema.parse(JSON.parse(printScoop(aFeed('Rocket', installer, portable)) ?? ''))

    expect(printed.architecture['64bit']).toEqual({ url: `${installer.url}#/dl.7z`, hash: sha256 })
    expect(printed.architecture.arm64).toEqual({
      url: `${portable.url}#/rocket.exe`,
      hash: sha256,
      bin: 'rocket.exe',
    })
    expect(printScoop(aFeed('Rocket', { ...installer, release: '1.0 beta' }))).toBeUndefined()

    const details = { ...noFacts('exe'), installer: 'inno' as const }
    const inno = schema.parse(
      JSON.parse(printScoop(aFeed('Rocket', { ...installer, details }, portable)) ?? ''),
    )
    expect(inno).toMatchObject({
      innosetup: true,
      architecture: { '64bit': { url: installer.url, hash: sha256 } },
    })
    expect(inno.architecture.arm64).toBeUndefined()
  })

  test.each([
    ['nsis', { InstallerType: 'nullsoft' }, { url: 'a.exe#/dl.7z' }],
    ['inno', { InstallerType: 'inno' }, { url: 'a.exe' }],
    // A program of .NET names no processor either.
    [null, { InstallerType: 'portable' }, { url: 'a.exe#/rocket.exe', bin: 'rocket.exe' }],
  ] as const)(
    'winget and Scoop get how an installer was made: %j',
    (installer, forWinget, forScoop) => {
      const details = { ...noFacts('exe'), installer }
      const feed = aFeed(
        'Rocket',
        aBuild('a.exe', '1.0.0', { url: 'a.exe', facts: { kind: 'exe' }, details }),
      )

      expect(describePackage(feed)?.Versions[0]?.Installers).toMatchObject([forWinget])
      expect(JSON.parse(printScoop(feed) ?? '')).toMatchObject({
        architecture: { '64bit': { hash: sha256, ...forScoop } },
      })
    },
  )

  test('winget gets what its manifest 1.6.0 requires', () => {
    const text = printWinget(
      aFeed(
        'Zażółć: #1',
        aBuild('a.msi', '1.0.0'),
        aBuild('a-arm64.exe', '1.0.0', { architectures: ['arm64'] }),
      ),
    )
    const fields = new Map(
      [...(text ?? '').matchAll(/^(\w+): (".*")$/gm)].map(([, name = '', value = '']) => [
        name,
        JSON.parse(value) as unknown,
      ]),
    )
    const part = '[^.\\s\\\\/:*?"<>|\\u0001-\\u001f]{1,32}'

    expect(fields.get('PackageIdentifier')).toMatch(new RegExp(`^${part}(\\.${part}){1,7}$`))
    expect([...fields.keys()]).toEqual([
      ...[
        'PackageIdentifier',
        'PackageVersion',
        'PackageLocale',
        'Publisher',
        'PackageName',
        'PackageUrl',
      ],
      ...['License', 'ShortDescription', 'ManifestType', 'ManifestVersion'],
    ])
    expect(
      text
        ?.split('Installers:\n')[1]
        ?.match(/{.*}/g)
        ?.map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { Architecture: 'x64', InstallerType: 'wix', InstallerSha256: sha256.toUpperCase() },
      { Architecture: 'arm64', InstallerType: 'nullsoft' },
    ])
  })

  test('Sparkle gets one app a release, with the build number of its package, and each program for Windows', () => {
    const intel = aBuild('Rocket.dmg', '1.0.0', { architectures: ['x64'] })
    const silicon = aBuild('Rocket-arm64.zip', '1.0.0', {
      architectures: ['arm64'],
      facts: { kind: 'app', build: '17', minOs: 'macOS 11.0' },
      signature: undefined,
    })
    const windows = aBuild('Rocket.exe', '1.0.0', { architectures: ['x64'] })
    const printed = printAppcast(aFeed('Rocket', silicon, intel, windows))

    expect(printed.match(/<sparkle:version>.*|<enclosure.*/g)).toEqual([
      '<sparkle:version>17</sparkle:version>',
      `<enclosure url="${intel.url}" length="5" type="application/octet-stream" sparkle:edSignature="${ed25519}"/>`,
      '<sparkle:version>1.0.0</sparkle:version>',
      `<enclosure url="${windows.url}" length="5" type="application/octet-stream" sparkle:os="windows-x64" sparkle:edSignature="${ed25519}"/>`,
    ])
    expect(printAppcast(aFeed('Rocket', silicon))).not.toContain('edSignature')
    expect(printAppcast(aFeed('Rocket', intel))).not.toContain('<item>')
  })

  test('Homebrew gets both processors', () => {
    const of = (name: string) =>
      aBuild(`Rocket-${name}.dmg`, '1.0.0', { architectures: [name], name: undefined })
    expect(printCask(aFeed("Bob's #{1}", of('x64'), of('arm64')))).toBe(`cask 'rocket' do
  version '1.0.0'
  on_arm do
    sha256 '${sha256}'
    url '${of('arm64').url}'
  end
  on_intel do
    sha256 '${sha256}'
    url '${of('x64').url}'
  end
  name 'Bob\\'s #{1}'
  desc 'Bob\\'s #{1}'
  homepage 'https://host.example/p/rocket'

  app 'Bob\\'s #{1}.app'
end
`)
  })

  test('Homebrew gets the folder of the app, which may be called otherwise than the app', () => {
    const details = { ...noFacts('app'), name: 'Rocket Deluxe', bundle: 'Rocket.app' }
    expect(printCask(aFeed('Rocket', aBuild('a.zip', '1.0.0', { details })))).toContain(
      "\n  app 'Rocket.app'\n",
    )
  })

  test('Vagrant gets the processor of each box', () => {
    const of = (...architectures: string[]) =>
      aBuild('a.box', '1.0.0', { facts: { kind: 'box', minOs: 'libvirt' }, architectures })
    const printed = printBox(aFeed('Rocket', of('x64'), of('arm64'), of()))
    const { versions } = JSON.parse(printed) as {
      versions: { providers: { architecture?: string }[] }[]
    }
    expect(versions[0]?.providers.map(({ architecture }) => architecture)).toEqual([
      'amd64',
      'arm64',
      undefined,
    ])
  })

  test('AltStore gets a picture, each version once, and all that the app asks for', () => {
    const apple = {
      ...{ devices: [], profile: null, entitlements: ['application-identifier', 'get-task-allow'] },
      privacy: [{ key: 'NSCameraUsageDescription', reason: 'To scan' }],
    }
    const of = (filename: string, build: string) =>
      aBuild(filename, '1.0.0', {
        facts: { kind: 'ipa', appId: 'org.rocket', build },
        details: { ...noFacts('ipa'), apple },
      })
    const printed = printSource(
      aFeed('Rocket', of('a.ipa', '2'), of('b.ipa', '2'), of('c.ipa', '1')),
    )
    const { apps } = JSON.parse(printed) as { apps: { versions: { downloadURL: string }[] }[] }

    expect(apps).toMatchObject([
      {
        iconURL: 'https://host.example/social.png',
        appPermissions: {
          entitlements: ['get-task-allow'],
          privacy: { NSCameraUsageDescription: 'To scan' },
        },
      },
    ])
    expect(apps[0]?.versions.map(({ downloadURL }) => downloadURL.split('/').at(-1))).toEqual([
      'a.ipa',
      'c.ipa',
    ])
  })

  test('Tauri gets each bundle by its kind, and without a kind the one that most computers can install', () => {
    const names = ['a.rpm', 'a.deb', 'a.AppImage', 'a.msi', 'a-setup.exe', 'a_aarch64.rpm']
    const printed = printTauri(aFeed('Rocket', ...names.map((name) => aBuild(name, '1.0.0')))) ?? ''
    const { platforms } = JSON.parse(printed) as { platforms: Record<string, { url: string }> }

    expect(
      Object.fromEntries(
        Object.entries(platforms).map(([key, { url }]) => [key, url.split('/').at(-1)]),
      ),
    ).toEqual({
      'linux-x86_64': 'a.AppImage',
      'linux-x86_64-appimage': 'a.AppImage',
      'linux-x86_64-deb': 'a.deb',
      'linux-x86_64-rpm': 'a.rpm',
      'linux-aarch64': 'a_aarch64.rpm',
      'linux-aarch64-rpm': 'a_aarch64.rpm',
      'windows-x86_64': 'a-setup.exe',
      'windows-x86_64-nsis': 'a-setup.exe',
      'windows-x86_64-msi': 'a.msi',
    })
  })

  test('signatures are read as the tools of their creators write them', () => {
    expect(parseSignature(`sparkle:edSignature="${ed25519}" length="1234"\n`)).toEqual({
      ed25519,
      tauri: undefined,
    })
    expect(parseSignature(`${ed25519}\n`)).toEqual({ ed25519, tauri: undefined })
    expect(parseSignature(tauri)).toEqual({ ed25519: undefined, tauri })
    for (const text of [
      '',
      `"/><x y="${ed25519}"`,
      `${ed25519} x`,
      Buffer.from('a'.repeat(200)).toString('base64'),
    ])
      expect(parseSignature(text)).toEqual({ ed25519: undefined, tauri: undefined })
  })
})
