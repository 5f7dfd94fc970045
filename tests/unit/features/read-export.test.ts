import { expect, test } from 'vitest'
import { memorySource } from '../../../server/core/byte-source'
import { EXPORT_MANIFEST } from '../../../server/contract/export-format'
import { readExport } from '../../../server/features/exports/read-export'
import { zipWith } from '../../support/exports'
import { longestTick, processorTime, slowness } from '../../support/system/processor-time'

/** What reading may take of the thread that serves everyone, in ms. */
const MOST_MS = 1500
const MANY = 5000
/** What it may take at once, between other requests, in ms. */
const MOST_AT_ONCE_MS = 250

const at = '2026-11-28T12:00:00.000Z'
const aProject = (slug: string) => ({
  ...{ slug, title: 'P', is_public: false, created_at: at, updated_at: at },
  ...{ short_description: '', description: '', project_url: null },
  ...{ retention: [], collaborators: [], pictures: [], releases: [], downloads: [], posts: [] },
})
const aManifest = (lists: { projects: object[]; files?: object[] }) => {
  const fields = { format: 'slipway-export', version: 1, scope: 'account', account: null }
  return Buffer.from(JSON.stringify({ ...fields, files: [], texts: [], ...lists }))
}

test('reads many projects beside many files in time that grows with both, not with their product', async () => {
  const projects = Array.from({ length: MANY }, (_, n) => aProject(`p-${n}`))
  const files = Array.from({ length: MANY }, (_, n) => ({
    ...{ path: `files/${n}`, filename: `${n}`, size: 1, sha256: '0'.repeat(64) },
    ...{ is_public: false, version: null, uploaded_at: at },
  }))
  const zip = await zipWith([
    [EXPORT_MANIFEST, aManifest({ projects, files })],
    ...files.map(({ path }) => [path, Buffer.from('x')] as const),
  ])
  const spent = await processorTime(async () => {
    const { entries } = await readExport(memorySource(zip), zip.length)
    expect(entries.size).toBe(MANY + 1)
  })

  expect(spent).toBeLessThan(MOST_MS)
})

test('stops at the first of many mistakes in the manifest', async () => {
  const manifest = {
    ...{ format: 'slipway-export', version: 1, scope: 'account', account: null },
    ...{ projects: Array<object>(20 * MANY).fill({}), files: [], texts: [] },
  }
  const zip = await zipWith([[EXPORT_MANIFEST, Buffer.from(JSON.stringify(manifest))]])

  const spent = await processorTime(async () => {
    await expect(readExport(memorySource(zip), zip.length)).rejects.toThrow(
      /wrong at projects\.0\.slug: .+\. Download the export again, and import it as it is$/,
    )
  })

  expect(spent).toBeLessThan(MOST_MS)
})

test('refuses a manifest with too many values before it parses it', async () => {
  const zip = await zipWith([[EXPORT_MANIFEST, Buffer.from('[],'.repeat(1_000_001))]])
  await expect(readExport(memorySource(zip), zip.length)).rejects.toThrow(
    'too many values. Export the projects one by one',
  )
})

test('refuses a directory that takes too much memory', async () => {
  const files = Array.from(
    { length: 1100 },
    (_, n) => [`${n}`.padEnd(62_000, 'n'), Buffer.alloc(0)] as const,
  )
  const zip = await zipWith(files)
  await expect(readExport(memorySource(zip), zip.length)).rejects.toThrow('names in the zip are')
})

const aPost = { author: 'alice', content: 'x', created_at: at, updated_at: at }
const wrongPost = { ...aPost, content: 1 }

test.for<[manifest: string, posts: object[], outcome: string]>([
  ['right', Array<object>(200_000).fill(aPost), '200000 posts'],
  [
    'wrong at its end',
    [...Array<object>(100_000).fill(aPost), wrongPost],
    'is wrong at projects.0.posts.100000.content: Invalid input: expected string',
  ],
  [
    'wrong everywhere',
    Array<object>(200_000).fill({}),
    'is wrong at projects.0.posts.0.author: Invalid input: expected string',
  ],
])('a large manifest that is %s holds other requests for a moment only', async (row) => {
  const [, posts, outcome] = row
  const manifest = aManifest({ projects: [{ ...aProject('p'), posts }] })
  const zip = await zipWith([[EXPORT_MANIFEST, manifest]])
  let read = ''
  const held = await longestTick(async () => {
    read = await readExport(memorySource(zip), zip.length).then(
      (opened) => `${opened.manifest.projects[0]?.posts.length} posts`,
      String,
    )
  })

  expect(read).toContain(outcome)
  expect(held / (await slowness())).toBeLessThan(MOST_AT_ONCE_MS)
})
