import { expect, test } from 'vitest'
import { explainNoFeed } from '../../../../server/features/feeds/explain-no-feed'
import { noFacts } from '../../../../server/libraries/package-reader/look'
import { summaryOf } from '../../../../server/features/files/package-summary'
import type { PackagePart } from '../../../../server/data/records/file-records'
import type { PackageKind } from '../../../../server/contract/files/facts'

const at = '2030-01-01T00:00:00.000Z'
const facts = (kind: PackageKind) => summaryOf({ facts: noFacts(kind), icon: null })

function explain(filename: string, part: PackagePart = {}, releaseId: string | null = '1'): string | null {
  const file = {
    id: 'a',
    ownerId: 'a',
    blobId: 'a',
    sha256: 'a',
    size: 1,
    isPublic: true,
    version: null,
    uploadedAt: at,
  }
  const link = {
    id: 'a',
    projectId: 'a',
    fileId: 'a',
    version: null,
    platform: null,
    addedAt: at,
    position: 1,
    releaseId,
  }
  return explainNoFeed({ link, file: { ...file, filename, ...part } })
}

test.each<[string, PackagePart, string | null]>([
  ['rocket.deb', { facts: facts('deb'), hasIndex: true }, null],
  ['rocket.exe', { facts: facts('exe') }, null],
  ['rocket.deb', { facts: facts('deb'), hasIndex: false, unreadable: 'It has no name.' }, 'It has no name.'],
  ['rocket.deb', { facts: facts('deb') }, 'This package has not been read yet.'],
  ['rocket.apk', { facts: null, unreadable: 'The package is damaged.' }, 'The package is damaged.'],
  ['rocket.snap', {}, 'Package managers list no files of this kind.'],
])('says why no feed lists %s: %o', (filename, part, reason) => {
  expect(explain(filename, part)).toBe(reason)
})

test('says that a file without a version is in no feed', () => {
  const part = { facts: facts('deb'), hasIndex: true }
  expect(explain('rocket.deb', part, null)).toBe('Feeds list releases, so this file needs a version.')
})
