import { expect, test } from 'vitest'
import { planRetention } from '../../../../server/features/retention/plan'
import type { ReleaseRecord } from '../../../../server/data/records/project-records'

type Listed = Parameters<typeof planRetention>[0][number]

const day = (number: number) => new Date(Date.UTC(2030, 0, number)).toISOString()

/** A release with public files, published on a day of January. */
function aRelease(
  version: string,
  at: number,
  names: string[],
  fields: Partial<ReleaseRecord> = {},
): Listed {
  const ids = { id: version, projectId: 'rocket', ownerId: 'alice' }
  const dates = { createdAt: day(at), publishedAt: day(at) }
  const release = {
    ...ids,
    ...dates,
    version,
    channel: 'nightly',
    notes: '',
    state: 'published' as const,
    isKept: true,
  }
  const files = names.map((name, position) => {
    const filename = name.replace(/^private /, '')
    const blob = {
      size: 1,
      sha256: '0'.repeat(64),
      blobId: '0'.repeat(32),
      uploadedAt: day(at),
      version: null,
    }
    const link = {
      id: name,
      projectId: 'rocket',
      fileId: name,
      version,
      platform: null,
      addedAt: day(at),
    }
    return {
      link: { ...link, position, releaseId: version },
      file: { id: name, ownerId: 'alice', filename, isPublic: name === filename, ...blob },
    }
  })
  return { release: { ...release, ...fields }, files }
}

/** What goes, and why what is older stays. */
function outcome(listed: Listed[], keep: number) {
  const { goes, stays } = planRetention(listed, keep, () => undefined)
  return [
    ...goes.map(({ release }) => `${release.version} goes`),
    ...stays.map(
      ({ release: { version }, reason, filename }) => `${version} ${filename ?? reason}`,
    ),
  ]
}

test.each([
  [
    'nothing within the limit',
    3,
    [aRelease('2', 2, ['a-2.zip']), aRelease('1', 1, ['a-1.zip'])],
    [],
  ],
  [
    'the oldest first',
    1,
    [aRelease('3', 3, ['a-3.zip']), aRelease('2', 2, ['a-2.zip']), aRelease('1', 1, ['a-1.zip'])],
    ['1 goes', '2 goes'],
  ],
  [
    'by time, so that a fix of an old version is not gone at once, and latest links stay',
    1,
    [
      aRelease('2.0', 2, ['a-2.0.zip']),
      aRelease('1.1', 3, ['a-1.1.zip']),
      aRelease('1.0', 1, ['a-1.0.zip']),
    ],
    ['1.0 goes', '2.0 a-2.0.zip'],
  ],
  [
    'not before a promoted one, which came last',
    1,
    [aRelease('2', 2, ['a-2.zip']), aRelease('1', 1, ['a-1.zip'], { promotedAt: day(3) })],
    ['2 a-2.zip'],
  ],
  [
    'not before all of its files have a newer one',
    1,
    [aRelease('2', 2, ['a-2.deb']), aRelease('1', 1, ['a-1.deb', 'a-1.exe'])],
    ['1 a-1.exe'],
  ],
  [
    'not while visitors are not offered a newer one',
    1,
    [aRelease('2', 2, ['private a-2.zip']), aRelease('1', 1, ['a-1.zip'])],
    ['1 a-1.zip'],
  ],
  [
    'not the last one for an architecture, or with another name',
    1,
    [
      aRelease('2', 2, ['a-2-x64.zip']),
      aRelease('1', 1, ['a-1-arm64.zip']),
      aRelease('0', 0, ['docs-0.zip']),
    ],
    ['1 a-1-arm64.zip', '0 docs-0.zip'],
  ],
  [
    'names that differ in dates, build numbers and commits are one',
    1,
    [
      aRelease('2', 2, ['a-1.0-20300102-gab12cd3-1042.zip']),
      aRelease('1', 1, ['a-1.0-20300101-g98765ef-1041.zip']),
    ],
    ['1 goes'],
  ],
  [
    'neither a rollout nor what it replaces, because it may be withdrawn',
    1,
    [
      aRelease('4', 4, ['a-4.zip'], { rollout: 10 }),
      aRelease('3', 3, ['a-3.zip']),
      aRelease('2', 2, ['a-2.zip'], { rollout: 50 }),
      aRelease('1', 1, ['a-1.zip']),
    ],
    ['1 goes', '3 a-3.zip', '2 rollout'],
  ],
  [
    'nothing that a person brought back, which does not count',
    1,
    [aRelease('2', 2, ['a-2.zip']), aRelease('1', 1, ['a-1.zip'], { broughtBackAt: day(3) })],
    ['1 brought_back'],
  ],
])('moves %s', (_, keep, listed, expected) => {
  expect(outcome(listed, keep)).toEqual(expected)
})
