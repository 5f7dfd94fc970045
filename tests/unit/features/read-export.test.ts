import { expect, test } from 'vitest'
import { memorySource } from '../../../server/core/byte-source'
import { EXPORT_MANIFEST } from '../../../server/contract/export-format'
import { readExport } from '../../../server/features/exports/read-export'
import { zipWith } from '../../support/exports'
import { processorTime } from '../../support/system/processor-time'

/** What reading may take of the thread that serves everyone, in ms. */
const MOST_MS = 1500
const MANY = 5000

test('reads many projects beside many files in time that grows with both, not with their product', async () => {
  const at = '2026-11-28T12:00:00.000Z'
  const empty = { short_description: '', description: '', project_url: null }
  const none = { retention: [], collaborators: [], pictures: [], releases: [], downloads: [] }
  const projects = Array.from({ length: MANY }, (_, n) => ({
    ...{ slug: `p-${n}`, title: 'P', is_public: false, created_at: at, updated_at: at },
    ...{ ...empty, ...none, posts: [] },
  }))
  const files = Array.from({ length: MANY }, (_, n) => ({
    ...{ path: `files/${n}`, filename: `${n}`, size: 1, sha256: '0'.repeat(64) },
    ...{ is_public: false, version: null, uploaded_at: at },
  }))
  const manifest = {
    ...{ format: 'slipway-export', version: 1, scope: 'account', account: null },
    ...{ projects, files, texts: [] },
  }

  const zip = await zipWith([
    [EXPORT_MANIFEST, Buffer.from(JSON.stringify(manifest))],
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
