import { describe, expect, test } from 'vitest'
import type { LinkedFile } from '../../../../server/contract'
import { chooseDownload } from '../../../../server/features/releases/page-view'

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

describe('chooseDownload', () => {
  const [readme, zip, newApk, oldApk, exe] = [
    'readme.md',
    'any.zip',
    'new.apk',
    'old.apk',
    'setup.exe',
  ].map((name) => aLinkedFile(name)) as [LinkedFile, LinkedFile, LinkedFile, LinkedFile, LinkedFile]

  test('the newest file for the visitor comes first', () => {
    const choice = chooseDownload([readme, zip, newApk, oldApk, exe], 'Android')
    expect(choice).toEqual({ primary: newApk, fits: true })
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
    expect(chooseDownload([hidden, oldApk], 'Android').primary).toEqual(oldApk)
    expect(chooseDownload([hidden], 'Android').primary).toBeUndefined()
  })
})
