import { describe, expect, test } from 'vitest'
import { chooseDownload, isPackage } from '../../../server/texts/choose-download'
import { extensionOf } from '../../../server/texts/filename'
import { visitorPlatform } from '../../../server/contract/files/platforms'
import { platformOf, type LinkedFile } from '../../../server/contract'

const aLinkedFile = (filename: string, fields: Partial<LinkedFile> = {}): LinkedFile => ({
  file_id: filename,
  filename,
  version: null,
  platform: null,
  facts: null,
  icon_url: null,
  is_damaged: false,
  size: 1,
  downloads: 0,
  added_at: '2026-11-20T00:00:00.000Z',
  release: null,
  is_public: true,
  sha256: '0'.repeat(64),
  can: ['read'],
  ...fields,
})

test.each([
  ['Lantern-1.2.APK', 'apk'],
  ['src.tar.gz', 'tar.gz'],
  ['README', ''],
  ['.gitignore', 'gitignore'],
  ['archive.', ''],
])('the extension of %s is %s', (filename, extension) =>
  expect(extensionOf(filename)).toBe(extension),
)

describe('platformOf', () => {
  test.each([
    ['app.apk', null, 'Android'],
    ['app.apks', null, 'Android'],
    ['app.AppImage', null, 'Linux'],
    ['app-1.0-1.pkg.tar.zst', null, 'Linux'],
    ['app.box', null, 'Image'],
    ['app.xpi', null, undefined],
    ['app.zip', null, undefined],
    ['app.zip', 'Windows x64', 'Windows'],
    ['app.zip', 'Win64', 'Windows'],
    ['app.dmg', 'Apple silicon', 'macOS'],
    ['app.zip', 'darwin', 'macOS'],
    ['notes.md', null, undefined],
  ])('%s with %s is for %s', (filename, platform, expected) => {
    expect(platformOf({ filename, platform })).toBe(expected)
  })

  test('a package is what can be installed or unpacked', () => {
    expect(isPackage({ filename: 'app.tar.xz', platform: null })).toBe(true)
    expect(isPackage({ filename: 'app.xpi', platform: null })).toBe(true)
    expect(isPackage({ filename: 'app.bin', platform: 'Linux' })).toBe(true)
    expect(isPackage({ filename: 'readme.md', platform: null })).toBe(false)
  })
})

test.each([
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140', 5, 'Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari', 5, 'iOS'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari', 5, 'iOS'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari', 0, 'macOS'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140', 0, 'Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/150', 0, 'Linux'],
  ['curl/8', 0, undefined],
])('%s with %d touch points is %s', (agent, points, expected) =>
  expect(visitorPlatform(agent, points)).toBe(expected),
)

describe('chooseDownload', () => {
  const [readme, zip, newApk, oldApk, exe] = [
    'readme.md',
    'any.zip',
    'new.apk',
    'old.apk',
    'setup.exe',
  ].map((name) => aLinkedFile(name)) as [LinkedFile, LinkedFile, LinkedFile, LinkedFile, LinkedFile]

  test('the newest file for the visitor comes first, and every other one below', () => {
    const choice = chooseDownload([readme, zip, newApk, oldApk, exe], 'Android')
    expect(choice).toEqual({ primary: newApk, fits: true, others: [readme, zip, oldApk, exe] })
  })

  test('else the newest package that runs anywhere', () => {
    expect(chooseDownload([readme, newApk, zip], 'macOS')).toMatchObject({
      primary: zip,
      fits: true,
    })
  })

  test('else the newest package, and the page says that it is for another device', () => {
    expect(chooseDownload([readme, newApk, exe], 'macOS')).toMatchObject({
      primary: newApk,
      fits: false,
    })
  })

  test('a project of documents offers the newest of them to everyone', () => {
    expect(chooseDownload([readme], 'macOS')).toMatchObject({ primary: readme, fits: true })
  })

  test('an unknown device is promised nothing', () => {
    expect(chooseDownload([exe, newApk], undefined)).toMatchObject({ primary: exe, fits: true })
  })

  test('never offers a private file first, though its owner sees it', () => {
    const hidden = aLinkedFile('hidden.apk', { is_public: false })
    expect(chooseDownload([hidden, oldApk], 'Android')).toMatchObject({
      primary: oldApk,
      others: [hidden],
    })
    expect(chooseDownload([hidden], 'Android')).toMatchObject({
      primary: undefined,
      others: [hidden],
    })
  })
})
