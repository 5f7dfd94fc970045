import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  packageIndexSchema,
  type IndexKind,
  type IndexOf,
} from '../../../../server/contract/files/package-index'
import type { FileRecord } from '../../../../server/data/records/file-records'
import { printPackages } from '../../../../server/features/repositories/apt/print'
import { printPackument } from '../../../../server/features/repositories/npm/print'
import { packDatabase, printDesc } from '../../../../server/features/repositories/pacman/print'
import { printNames, printWheels } from '../../../../server/features/repositories/pip/print'
import { poolPath } from '../../../../server/features/repositories/repository'
import { printLists, printPackage } from '../../../../server/features/repositories/rpm/print'

/**
 * What could end a field of some format, or begin another; the schema of indexes allows all of it.
 */
const line = fc.string({
  unit: fc.constantFrom(
    '%',
    '%NAME%',
    '<',
    '/>',
    '"',
    "'",
    '&',
    ':',
    ' ',
    '#',
    '=',
    ']]>',
    '-->',
    '\\',
    'a',
    '🚀',
    '../',
  ),
  maxLength: 12,
})
const sha256 = 'a'.repeat(64)
const SIZE = 7

/** A package of the kind with the texts in all of its free fields, in a file with any name. */
function listed<Kind extends IndexKind>(kind: Kind, index: object, filename: string) {
  const file = {
    filename,
    size: SIZE,
    sha256,
    uploadedAt: '2026-01-01T00:00:00.000Z',
  } as FileRecord
  const checked = packageIndexSchema.parse({ kind, ...index }) as IndexOf<Kind>
  return { index: checked, file, path: poolPath('1.0/../#', filename), size: SIZE, sha256 }
}

const texts = fc.array(line, { minLength: 3, maxLength: 6 })
/** Runs for any texts of a package and any name of its file. */
const forAll = (check: (texts: readonly string[], filename: string) => void) =>
  fc.assert(fc.property(texts, line, check), { numRuns: 200 })

test('no text of a package adds a field or package to the lists of apt', () => {
  forAll((some, filename) => {
    const fields = some.map((text, n) => `X-${n}: ${text}\n`).join('')
    const control = `Package: rocket\nVersion: 1.0\nArchitecture: all\n${fields}`
    const index = { package: 'rocket', version: '1.0', architecture: 'all', control }
    const text = printPackages([listed('deb', index, filename)]).get('amd64') ?? ''
    const names = text
      .split('\n')
      .flatMap((it) => /^[^ :]+(?=:)/.exec(it) ?? (it === '' ? [] : [`?${it}`]))
    const free = some.map((_, n) => `X-${n}`)
    expect(names).toEqual([
      'Package',
      'Version',
      'Architecture',
      ...free,
      'Filename',
      'Size',
      'SHA256',
    ])
    expect(text.match(/\n\n/g)).toHaveLength(1)
  })
})

test('no text of a package adds a field or package to the lists of rpm-md', () => {
  forAll((some, filename) => {
    const [first = '', second = '', third = ''] = some
    const entry = { name: `a${first}`, flags: 'EQ', epoch: '0', version: second, release: third }
    const none = {
      suggests: [],
      enhances: [],
      recommends: [],
      supplements: [],
      conflicts: [],
      obsoletes: [],
    }
    const index = {
      ...{
        name: 'rocket',
        epoch: '0',
        version: '1.0',
        release: '1',
        architecture: 'noarch',
        builtAt: 1,
      },
      ...{
        summary: first,
        description: `${second}\n${third}`,
        license: first,
        url: second,
        vendor: third,
      },
      ...{ packager: first, group: second, sourceRpm: third, buildHost: first, installedSize: 1 },
      ...{
        header: { start: 1, end: 2 },
        relations: { provides: [entry], requires: [entry], ...none },
      },
      ...{
        files: some.map((text) => `/usr/bin/${text}`),
        folders: [],
        ghosts: [],
        omittedPaths: 0,
      },
    }
    const { primary, filelists } = printLists([printPackage(listed('rpm', index, filename))])
    for (const text of [primary, filelists]) {
      // Each `<` is a tag of ours, and no attribute has more than one value.
      expect(text.replaceAll(/<[?/]?[a-z:-]+(?: [a-z:]+="[^"<>]*")*(?:\/|\?)?>/g, '')).not.toMatch(
        /[<>]/,
      )
      expect(text.match(/<package /g)).toHaveLength(1)
    }
    expect(primary.match(/<location /g)).toHaveLength(1)
    expect(primary.match(/<rpm:entry /g)).toHaveLength(2)
  })
})

test('no text of a package adds a field to the database of pacman', () => {
  forAll((some, filename) => {
    const own = `pkgname = rocket\npkgver = 1.0-1\narch = any\n`
    const info = `${own}${some.map((text) => `pkgdesc = ${text}\ndepend = ${text}\n`).join('')}`
    const desc = printDesc(
      listed('pacman', { name: 'rocket', version: '1.0-1', architecture: 'any', info }, filename),
    )
    // Like libalpm: a field is its name, its values up to an empty line.
    const fields = desc.split('\n\n').slice(0, -1)
    const names = fields.map((field) => field.split('\n', 1)[0])
    expect(new Set(names).size).toBe(names.length)
    expect(desc.match(/^%\w*%$/gm)).toEqual(names)
    expect(fields.find((field) => field.startsWith('%FILENAME%'))).toMatch(
      /^%FILENAME%\nrocket-1\.0-1-any\.pkg\.tar(\.\w+)?$/,
    )
    expect(
      fields
        .filter((field) => field.startsWith('%DESC%'))
        .every((field) => field.split('\n').length === 2),
    ).toBe(true)
    const tar = packDatabase([['rocket-1.0-1', desc]])
    expect(tar.subarray(512, 512 + Buffer.byteLength(desc)).toString()).toBe(desc)
  })
})

test('no text of a package adds a file to the pages of pip and the documents of npm', () => {
  forAll((some, filename) => {
    const [first = '', second = ''] = some
    const { path } = listed(
      'npm',
      {
        name: 'a',
        version: '1',
        hasInstallScript: false,
        sha512: `${'a'.repeat(86)}==`,
        sha1: 'a'.repeat(40),
        manifest: {},
      },
      filename,
    )
    const wheel = {
      filename,
      path,
      size: SIZE,
      sha256,
      version: '1',
      requiresPython: first,
      uploadedAt: '',
      metadataSha256: sha256,
    }
    const { html, json } = printWheels('rocket', [wheel])
    expect(html.replaceAll(/<!DOCTYPE html>|<\/?[a-z]+(?: [a-z-]+="[^"<>]*")*>/g, '')).not.toMatch(
      /[<>]/,
    )
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(JSON.parse(json)).toMatchObject({ files: [{ filename, 'requires-python': first }] })
    expect(printNames(['rocket']).html).toContain('\n<a href="rocket/">rocket</a>')

    const manifest = {
      description: first,
      dist: { tarball: second },
      version: '9',
      name: 'other',
      dependencies: { a: second },
    }
    const index = {
      name: 'rocket',
      version: '1.0.0',
      hasInstallScript: false,
      sha512: `${'a'.repeat(86)}==`,
      sha1: 'a'.repeat(40),
      manifest,
    }
    const version = { ...listed('npm', index, filename), version: '1.0.0', addedAt: '' }
    expect(
      JSON.parse(printPackument('rocket', [version], new Map([['latest', '1.0.0']]), 'http://a')),
    ).toMatchObject({
      name: 'rocket',
      versions: {
        '1.0.0': {
          name: 'rocket',
          version: '1.0.0',
          description: first,
          dist: { tarball: `http://a/${path}` },
        },
      },
    })
  })
})
