import { describe, expect, test } from 'vitest'
import { filesInArguments } from '../../../main/files/file-arguments'

const files = (...words: string[]) =>
  filesInArguments({ argv: ['slipway', ...words], cwd: '/home/alice', program: undefined })

describe('the files of a command line', () => {
  test.for([
    ['a relative name', ['app.apk'], ['/home/alice/app.apk']],
    ['an absolute one', ['/builds/app.apk'], ['/builds/app.apk']],
    [
      'several, and what a file manager makes of a name',
      ['a.zip', 'file:///b/my%20app.apk'],
      ['/home/alice/a.zip', '/b/my app.apk'],
    ],
    ['a name like a switch, after two dashes', ['--', '--app.apk'], ['/home/alice/--app.apk']],
    [
      'names between our own words',
      ['--data', '/data', 'a.zip', '--hidden', 'b.zip', '--cert', 'own.pem'],
      ['/home/alice/a.zip', '/home/alice/b.zip'],
    ],
    ['none among switches of Chromium', ['--disable-gpu', '--user-data-dir=/x', '-psn_0_1'], []],
    [
      'no link',
      ['slipway://open?project=x', 'https://example.com/a.apk', 'file://elsewhere/a.apk'],
      [],
    ],
  ] as const)('%s', ([, words, expected]) => {
    expect(files(...words)).toEqual(expected)
  })

  test('begin behind the folder of a program that runs in Electron itself', () => {
    const start = { cwd: '/home/alice/slipway', program: '/home/alice/slipway' }

    const argv = ['electron', '-r', '/loader.js', '--no-sandbox', '.', '--data', '/data', 'a.zip']
    expect(filesInArguments({ ...start, argv })).toEqual(['/home/alice/slipway/a.zip'])
    expect(filesInArguments({ ...start, argv: ['electron', '/elsewhere', 'a.zip'] })).toEqual([])
  })
})
