import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanFilename, versionIn } from '../../../server/texts/filename'

const FORBIDDEN = /[/\\:*?"<>|\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u

describe('cleanFilename', () => {
  test.each([
    ['rocket-1.2.0.apk', 'rocket-1.2.0.apk'],
    ['日本語 résumé.pdf', '日本語 résumé.pdf'],
    ['cafe\u0301.txt', 'caf\u00e9.txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\alice\\rocket.exe', 'rocket.exe'],
    ['a/b\\c.zip', 'c.zip'],
    ['folder/', 'folder_'],
    ['say "hi".txt', 'say _hi_.txt'],
    ['a:b*c?d<e>f|g.txt', 'a_b_c_d_e_f_g.txt'],
    ['line\r\nbreak.txt', 'linebreak.txt'],
    ['nul\0l.txt', 'null.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['rocket\u200b\ufeff.apk', 'rocket.apk'],
    ['👩\u200d👧 می\u200cخواهم.apk', '👩\u200d👧 می\u200cخواهم.apk'],
    ['trailing. . .', 'trailing'],
    ['  spaces .txt ', 'spaces .txt'],
    ['.gitignore', '.gitignore'],
    ['', 'file'],
    ['...', 'file'],
    ['..', 'file'],
    ['/', '_'],
  ])('%j becomes %j', (given, clean) => expect(cleanFilename(given)).toBe(clean))

  // In quadratic time this would take hours.
  test('handles a name of a million dots quickly', () => {
    expect(cleanFilename(`${'.'.repeat(1_000_000)}x`)).toBe(`${'.'.repeat(254)}x`)
  })

  test('a name that is too long keeps its extension', () => {
    expect(cleanFilename(`${'x'.repeat(300)}.tar.gz`)).toBe(`${'x'.repeat(248)}.tar.gz`)
  })

  test('a name that is too long is not cut within a letter', () => {
    const clean = cleanFilename(`${'日'.repeat(200)}.apk`)

    expect(clean).toBe(`${'日'.repeat(83)}.apk`)
  })

  test('10,000 names of any kind come out as names, and stay as they are the second time', () => {
    const nasty = fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      ' ',
      '\0',
      '\r',
      '\n',
      '"',
      '\u202e',
      '\u2066',
      '\u0085',
      'CON',
      'é',
      '🚀',
    )
    const name = fc
      .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 40 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(name, (given) => {
        const clean = cleanFilename(given)
        return (
          !FORBIDDEN.test(clean) &&
          !/[. ]$|^ |^$/.test(clean) &&
          clean.isWellFormed() &&
          Buffer.byteLength(clean) <= 255 &&
          cleanFilename(clean) === clean
        )
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('versionIn', () => {
  test.each([
    ['rocket-1.2.0.apk', '1.2.0'],
    ['rocket-v1.2.apk', '1.2'],
    ['rocket_2.0.1-beta.3.zip', '2.0.1-beta.3'],
    ['rocket 1.2.3.4 setup.exe', '1.2.3.4'],
    ['1.0.0.tar.gz', '1.0.0'],
    ['rocket-1.2.0+build5.ipa', '1.2.0'],
    ['rocket-3.0.0-rc1.dmg', '3.0.0-rc1'],
    ['rocket.apk', null],
    ['rocket2.apk', null],
    ['rocket-7.apk', null],
    ['python3.12.zip', null],
    ['photo-192.168.0.1.5.zip', null],
    ['', null],
  ])('%j carries %j', (filename, version) => expect(versionIn(filename)).toBe(version))

  test('handles the worst names quickly', () => {
    const before = process.cpuUsage()

    for (const unit of ['1.', '-1.1', 'v1', '1.1-beta', '.']) versionIn(unit.repeat(5000))

    // Time of the processor, in µs: what else the machine does is not in it.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  })
})
