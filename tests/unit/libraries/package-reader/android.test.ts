import { open, stat } from 'node:fs/promises'
import { processorTime } from '../../../support/system/processor-time'
import { describe, expect, test } from 'vitest'
import { Unreadable } from '../../../../server/libraries/package-reader/look'
import { PackageFile } from '../../../../server/libraries/package-reader/package-file'
import { readApk } from '../../../../server/libraries/package-reader/android/apk'
import { aBinaryXml, attribute } from '../../../support/android-package'
import { lookOf } from '../../../support/looks'
import { aManifest, anApk, apiDemos, aPng, aZip } from '../../../support/packages'

const MANIFEST = 'AndroidManifest.xml'

describe('an Android app', () => {
  test('says the same as aapt and apksigner', async () => {
    const file = await open(apiDemos)
    const look = await readApk(new PackageFile(file, (await stat(apiDemos)).size))
    await file.close()
    // aapt dump badging (without the implied READ_EXTERNAL_STORAGE), apksigner verify --verbose
    // --print-certs, and the end of that certificate by openssl.
    expect(look.facts).toEqual({
      kind: 'apk',
      name: 'API Demos',
      app_id: 'io.appium.android.apis',
      version: '5.0.0',
      build: '25',
      publisher: null,
      architectures: [],
      min_os: 'Android 4.2',
      debug: true,
      is_signed: true,
      signer: {
        sha256: '18e8534fed30cbf9959e4073e723e3395a3f92fd6b41756d5fbc788f280c1107',
        name: 'Android Debug',
        expires_at: '2054-05-12T05:18:29.000Z',
      },
      android: {
        min_sdk: 17,
        target_sdk: 33,
        permissions: [
          'android.permission.READ_CONTACTS',
          'android.permission.WRITE_CONTACTS',
          'android.permission.VIBRATE',
          'android.permission.ACCESS_COARSE_LOCATION',
          'android.permission.INTERNET',
          'android.permission.SET_WALLPAPER',
          'android.permission.WRITE_EXTERNAL_STORAGE',
          'android.permission.SEND_SMS',
          'android.permission.RECEIVE_SMS',
          'android.permission.NFC',
          'android.permission.POST_NOTIFICATIONS',
          'android.permission.RECORD_AUDIO',
          'android.permission.CAMERA',
          'io.appium.android.apis.DYNAMIC_RECEIVER_NOT_EXPORTED_PERMISSION',
        ],
        signature_schemes: [1, 2],
        services: ['accessibility'],
      },
      apple: null,
    })
    expect(look.index).toMatchObject({
      kind: 'apk',
      appId: 'io.appium.android.apis',
      versionCode: '25',
      versionName: '5.0.0',
      label: 'API Demos',
      minSdk: 17,
      targetSdk: 33,
      nativecode: [],
      features: ['android.hardware.camera'],
      signer: { sha256: look.facts.signer?.sha256, sig: 'ada3ee4c8572357bc1f2484443bf7702' },
    })
    // unzip -p ApiDemos-debug.apk res/drawable-hdpi-v4/app_sample_code.png | wc -c
    expect(look.icon?.length).toBe(3608)
  })

  test('names its processors, versions and permissions once', async () => {
    const manifest = aBinaryXml({
      name: 'manifest',
      attributes: [
        ['package', 'com.acme.rocket'],
        [attribute.versionCode, 7],
        [attribute.versionCodeMajor, 2],
      ],
      children: [
        { name: 'uses-sdk', attributes: [[attribute.minSdk, 32]] },
        { name: 'uses-permission', attributes: [[attribute.name, 'p.A']] },
        {
          name: 'uses-permission-sdk-23',
          attributes: [
            [attribute.name, 'p.A'],
            [attribute.maxSdk, 30],
          ],
        },
        { name: 'uses-feature', attributes: [[attribute.name, 'f.A']] },
        {
          name: 'uses-feature',
          attributes: [
            [attribute.name, 'f.B'],
            [attribute.required, 0],
          ],
        },
        {
          name: 'application',
          attributes: [[attribute.label, 'Rocket\u202e& Co']],
          // An element of this name means something else here.
          children: [{ name: 'uses-permission', attributes: [[attribute.name, 'p.B']] }],
        },
      ],
    })
    const abis = ['arm64-v8a', 'armeabi-v7a', 'armeabi', 'x86_64', 'x86', 'riscv64']
    const libraries = abis.map((abi) => ({
      name: `lib/${abi}/librocket.so`,
      bytes: Buffer.alloc(1),
    }))
    const { facts, icon, index } = await lookOf('rocket.apk', anApk(manifest, ...libraries))
    expect(facts).toMatchObject({
      app_id: 'com.acme.rocket',
      build: '8589934599',
      name: 'Rocket & Co',
      debug: false,
    })
    expect(facts).toMatchObject({ is_signed: false, signer: null, min_os: 'Android 12L' })
    expect(facts.architectures).toEqual(['arm', 'arm64', 'riscv64', 'x64', 'x86'])
    expect(facts.android?.permissions).toEqual(['p.A'])
    expect(index).toEqual({
      kind: 'apk',
      appId: 'com.acme.rocket',
      versionCode: '8589934599',
      versionName: null,
      label: 'Rocket\u202e& Co',
      minSdk: 32,
      targetSdk: null,
      maxSdk: null,
      nativecode: abis.toSorted(),
      permissions: [
        { name: 'p.A', maxSdk: null },
        { name: 'p.A', maxSdk: 30, from23: true },
      ],
      features: ['f.A'],
      signer: null,
    })
    expect(icon).toBeNull()
  })
})

describe('what is no Android app', () => {
  const manifest = { name: MANIFEST, bytes: aManifest('1.0') }

  test.for<[string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'The file is not a zip archive, or its end is missing.'],
    ['a picture', aPng(100), 'The file is not a zip archive, or its end is missing.'],
    [
      'half an app',
      aZip([manifest]).subarray(0, -30),
      'The file is not a zip archive, or its end is missing.',
    ],
    [
      'another zip',
      aZip([{ name: 'a', bytes: manifest.bytes }]),
      'This is not an Android app: it has no manifest.',
    ],
    [
      'an app with two manifests',
      aZip([manifest, manifest]),
      'The package contains AndroidManifest.xml twice.',
    ],
    [
      'a part of an app',
      anApk(aBinaryXml({ name: 'manifest', attributes: [['split', 'config.arm64_v8a']] })),
      'This is a part of an Android app, which cannot be installed alone. Upload the APK set instead.',
    ],
    ['an encrypted app', aZip([{ ...manifest, says: { flags: 1 } }]), 'The package is encrypted.'],
    [
      'an app whose manifest says that it has 2 GB',
      aZip([{ ...manifest, says: { size: 2 ** 31 } }]),
      'AndroidManifest.xml in the package is too large to read.',
    ],
    [
      'an app whose manifest unpacks to 64 MB',
      aZip([{ name: MANIFEST, bytes: Buffer.alloc(64 * 1024 * 1024), says: { size: 1000 } }]),
      'AndroidManifest.xml in the package is too large to read.',
    ],
  ])('says so: %s', async ([, bytes, sentence]) => {
    await expect(lookOf('rocket.apk', bytes)).rejects.toThrow(new Unreadable(sentence))
  })

  test('is read quickly with 60,000 files', async () => {
    const files = Array.from({ length: 60_000 }, (_, index) => ({
      name: `res/${index}.png`,
      bytes: Buffer.alloc(0),
      isStored: true,
    }))
    const zip = aZip(files)
    const looking = () => expect(lookOf('rocket.apk', zip)).rejects.toThrow('it has no manifest')
    expect(await processorTime(looking)).toBeLessThan(10_000)
  })
})
