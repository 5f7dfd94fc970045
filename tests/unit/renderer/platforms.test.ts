import { describe, expect, test } from 'vitest'
import { extensionOf } from '../../../server/texts/filename'
import { isPackage, visitorPlatform } from '../../../server/contract/files/platforms'
import { platformOf } from '../../../server/contract'

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
