import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Unreadable } from '../../../../server/libraries/package-reader/look'
import { aBinaryXml, attribute } from '../../../support/android-package'
import { factsOf, lookOf, survivesDamage } from '../../../support/looks'
import { anApk, apiDemos, aPng, aZip } from '../../../support/packages'

/**
 * A manifest in protobuf: `aapt2 convert --output-format proto` of the test app of
 * appium-uiautomator2-server 10.6.6.
 */
const PROTOBUF = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAACA5WUTWvVQBSG701bejtqW283OiCU2TQEmmhxY1d+IGgt5eLXStCTZG7ucOcjzExK3VUsgqL4G6obf407/4QbRf+Ak48rLWJhFo' +
      'HkcPK8c973JOjHErqBFkHmWrF8GE2sLbeTxGQTKsDEXT3OlEignCaamqSr4WAQ4IEAycbUWLKLPN4dXnTFknH6KJ8+pdowJUkv/PXuaLA1vx1c' +
      'JWTkRbv8D+2OyqkEQXFw7Xr423HJ5nCxhGwKBcWEqRjKklUirhhUVgmwSm/Fhup9qmNbj0OGl0oOdqy0uF0xnp/gkl53yP/07Dndrmc5+tJHx3' +
      '08qAw1myafknteg10QTJ6y6P1RZxEmD7xIqxZ0Qe0p2M8ZjLgsF6Jvc+jrHF5h0lhdCSot2LoPvHQWOKSU443HzkSz7qxZP9Ps8NWhy+aFl8R8' +
      'E+xG93jQ5BXrSkqX3a22uPNEMvuwKYWva4Xnfra3Zo26fbly9gjHtcCOl8DKxN1xOtJqzDiThQvj02Ebxs0eue/FWh5XMquTAl6b7lCf/6Jcrk' +
      'vRhwC9CfA5NwFnWZvpXS8FlNO0KgpIudvr8OOM3vf95umB1ZDZPXeGfbrLUuNo39/Ozhql6Bk+33wonKUa9EtPfrsXa7OWE2vR7IDzYs1dq/V/' +
      '6w/s65YY9gQAAA==',
    'base64',
  ),
)
const anAab = (manifest: Buffer) =>
  aZip([
    { name: 'base/manifest/AndroidManifest.xml', bytes: manifest },
    { name: 'feature/lib/arm64-v8a/librocket.so', bytes: Buffer.alloc(1) },
  ])

describe('an AAB', () => {
  test('says the same as aapt2', async () => {
    const { facts, icon } = await lookOf('rocket.aab', anAab(PROTOBUF))
    // aapt2 dump badging
    expect(facts).toMatchObject({
      kind: 'aab',
      app_id: 'io.appium.uiautomator2.server.test',
      debug: true,
    })
    expect(facts).toMatchObject({
      version: null,
      build: null,
      min_os: 'Android 8.0',
      is_signed: false,
    })
    expect(facts.architectures).toEqual(['arm64'])
    expect(facts.android).toEqual({
      min_sdk: 26,
      target_sdk: 34,
      permissions: [],
      signature_schemes: [],
      services: [],
    })
    expect(icon).toBeNull()
  })

  test('an AAB of changed bytes is read quickly, or rejected', () =>
    survivesDamage('a.aab', PROTOBUF, { pack: anAab, runs: 1000 }))

  test('is no APK', async () => {
    const sentence = 'This is not an Android app bundle: it has no manifest.'
    expect(await factsOf('rocket.aab', anApk(PROTOBUF))).toBe(sentence)
  })
})

describe('an APK set', () => {
  test('says what its base says', async () => {
    const base = await readFile(apiDemos)
    const members = [
      { name: 'splits/base-arm64_v8a.apk', bytes: Buffer.alloc(1) },
      { name: 'splits/base-x86_64.apk', bytes: Buffer.alloc(1) },
      { name: 'splits/base-de.apk', bytes: Buffer.alloc(1) },
      { name: 'splits/base-master.apk', bytes: base, isStored: true },
    ]
    const apk = await lookOf('demos.apk', base)
    const { facts, icon } = await lookOf('demos.apks', aZip(members))
    expect(facts).toEqual({ ...apk.facts, kind: 'apks', architectures: ['arm64', 'x64'] })
    expect(icon).toEqual(apk.icon)
    const mirrored = [
      { name: 'base.apk', bytes: base, isStored: true },
      { name: 'split_config.arm64_v8a.apk', bytes: Buffer.alloc(1) },
    ]
    expect((await lookOf('demos.apkm', aZip(mirrored))).facts).toMatchObject({
      kind: 'apks',
      architectures: ['arm64'],
    })
  })

  test('can contain a small compressed base', async () => {
    const manifest = aBinaryXml({ name: 'manifest', attributes: [[attribute.versionName, '1.4']] })
    const set = aZip([{ name: 'universal.apk', bytes: anApk(manifest) }])
    expect((await lookOf('a.apks', set)).facts).toMatchObject({
      kind: 'apks',
      version: '1.4',
      is_signed: false,
    })
  })

  test.for<[string, Buffer, string]>([
    [
      'no base',
      aZip([{ name: 'toc.pb', bytes: PROTOBUF }]),
      'This is not an APK set: it has no base app.',
    ],
    [
      'a base that has 5 MB compressed',
      aZip([{ name: 'base.apk', bytes: Buffer.alloc(5 * 1024 * 1024) }]),
      'base.apk in the package is too large to read.',
    ],
    [
      'itself as its base',
      aZip([
        { name: 'base.apk', bytes: aZip([{ name: 'base.apk', bytes: PROTOBUF }]), isStored: true },
      ]),
      'This is not an Android app: it has no manifest.',
    ],
  ])('is rejected with %s', async ([, bytes, sentence]) => {
    await expect(lookOf('a.apks', bytes)).rejects.toThrow(new Unreadable(sentence))
  })
})

describe('an XAPK', () => {
  const manifest = {
    package_name: 'com.acme.rocket',
    name: 'Rocket',
    version_code: '812',
    version_name: '2.4.1',
    min_sdk_version: '23',
    target_sdk_version: 34,
    permissions: ['p.A', 'p.A', 'p.B', 7, null, { toString: 'x' }],
    split_apks: [{ file: 'rocket.apk', id: 'base' }, null],
  }
  const anXapk = (json: string | Buffer, ...others: { name: string; bytes: Buffer }[]) =>
    aZip([{ name: 'manifest.json', bytes: Buffer.from(json) }, ...others])

  test('says what its manifest says', async () => {
    const icon = { name: 'icon.png', bytes: aPng(512) }
    const split = { name: 'config.armeabi_v7a.apk', bytes: Buffer.alloc(1) }
    const look = await lookOf('rocket.xapk', anXapk(JSON.stringify(manifest), icon, split))
    expect(look.facts).toMatchObject({
      kind: 'xapk',
      name: 'Rocket',
      app_id: 'com.acme.rocket',
      version: '2.4.1',
    })
    expect(look.facts).toMatchObject({
      build: '812',
      min_os: 'Android 6.0',
      is_signed: null,
      architectures: ['arm'],
    })
    expect(look.facts.android).toMatchObject({
      min_sdk: 23,
      target_sdk: 34,
      permissions: ['p.A', 'p.B'],
    })
    expect(look.icon).toEqual(aPng(512))
  })

  test('says more where its base can be read', async () => {
    const base = { name: 'rocket.apk', bytes: await readFile(apiDemos), isStored: true }
    const { facts, icon } = await lookOf('rocket.xapk', anXapk(JSON.stringify(manifest), base))
    expect(facts).toMatchObject({
      kind: 'xapk',
      name: 'Rocket',
      app_id: 'io.appium.android.apis',
      is_signed: true,
    })
    expect(icon?.length).toBe(3608)
  })

  test('an XAPK with a strange manifest is read quickly, or rejected', async () => {
    for (const json of [
      '',
      '[]',
      'null',
      '7',
      '{"split_apks":{},"permissions":"x"}',
      '['.repeat(1_000_000),
    ])
      expect(await factsOf('a.xapk', anXapk(json))).not.toBeUndefined()
    await survivesDamage('a.xapk', Buffer.from(JSON.stringify(manifest)), {
      pack: (bytes) => anXapk(bytes),
    })
  })
})

describe('a JAR', () => {
  const aJar = (manifest: string | Buffer) =>
    aZip([{ name: 'META-INF/MANIFEST.MF', bytes: Buffer.from(manifest) }])

  test('says what its manifest says, in lines of any kind', async () => {
    const lines = [
      'Manifest-Version: 1.0',
      'implementation-title: Rock',
      ' et',
      'Bundle-SymbolicName: a.b;x:=y',
    ]
    const more = [
      'Implementation-Version: 5.0.4',
      'Implementation-Vendor: Acme',
      '',
      'Name: c',
      'Bundle-Name: no',
    ]
    for (const end of ['\n', '\r\n', '\r']) {
      const { facts } = await lookOf('rocket.jar', aJar([...lines, ...more].join(end)))
      expect(facts).toMatchObject({
        kind: 'jar',
        name: 'Rocket',
        app_id: 'a.b',
        version: '5.0.4',
        publisher: 'Acme',
      })
    }
    expect((await lookOf('rocket.jar', aJar(''))).facts).toMatchObject({
      name: null,
      version: null,
      is_signed: false,
    })
  })

  test('without a manifest is rejected', async () => {
    expect(await factsOf('rocket.jar', aZip([]))).toBe('The Java archive has no manifest.')
    await survivesDamage('a.jar', aJar('Implementation-Version: 1.0\n'), { runs: 200 })
  })
})
