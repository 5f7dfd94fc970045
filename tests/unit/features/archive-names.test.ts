import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveNames } from '../../../server/features/downloads/archive-names'

test.each([
  [
    ['a.apk', 'a.apk', 'A.APK'],
    ['a.apk', 'a (2).apk', 'A (3).APK'],
  ],
  [
    ['x.tar.gz', 'x.tar.gz'],
    ['x.tar.gz', 'x (2).tar.gz'],
  ],
  [
    ['a (2).apk', 'a.apk', 'a.apk'],
    ['a (2).apk', 'a.apk', 'a (3).apk'],
  ],
  [
    ['CON', 'nul.txt', 'Com1.tar.gz', 'lpt¹.x', 'console.txt'],
    ['_CON', '_nul.txt', '_Com1.tar.gz', '_lpt¹.x', 'console.txt'],
  ],
  [
    ['../../etc/passwd', 'a/b\\c.txt', 'end.', ''],
    ['passwd', 'c.txt', 'end', 'file'],
  ],
  [
    ['é.txt', 'e\u0301.txt'],
    ['é.txt', 'é (2).txt'],
  ],
  [
    ['SHA256SUMS', 'sha256sums'],
    ['SHA256SUMS (2)', 'sha256sums (3)'],
  ],
])('%j', (given, expected) => {
  expect(archiveNames(given, ['SHA256SUMS'])).toEqual(expected)
})

test('for any names, entries are unique on a case-insensitive disk and stay in the folder', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (given) => {
      const names = archiveNames(given)
      expect(new Set(names.map((name) => name.toUpperCase())).size).toBe(given.length)
      expect(names.filter((name) => /[/\\:*?"<>|\0]|[. ]$|^$/.test(name))).toEqual([])
    }),
  )
})

// In quadratic time this would take hours.
test('100,000 files of one name are numbered in a moment', () => {
  const names = archiveNames(Array<string>(100_000).fill('app-release.apk'))

  expect(names.at(-1)).toBe('app-release (100000).apk')
  expect(new Set(names).size).toBe(100_000)
})
