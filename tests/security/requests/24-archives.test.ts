import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import { cpuSeconds } from '../../support/machines/process'
import { aHost, clientAt, fetchAt } from '../../support/world/place'
import { aManifest, aZip } from '../../support/packages'
import { upload } from '../../support/world/upload'
import { stored, zeros, zipOf } from '../../support/packages/zip'

/** Processor time in seconds, which only Linux tells. */
const usedBy = process.platform === 'linux' ? cpuSeconds : () => Promise.resolve(0)

/** Of the processor, for each; it counts in hundredths. */
const TAKEN_S = 5
const MORE_MEMORY = 100 * MB

/** A binary property list whose only object, an array, contains itself. */
function cyclicPlist(): Buffer {
  const trailer = Buffer.alloc(32)
  trailer.set([1, 1], 6)
  trailer[15] = 1
  trailer[31] = 10
  return Buffer.concat([
    Buffer.from('bplist00'),
    Buffer.from([0xa1, 0x00]),
    Buffer.from([8]),
    trailer,
  ])
}

const laughs = Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
).join('')
const billionLaughs = `<?xml version="1.0"?><!DOCTYPE m [<!ENTITY l0 "ha">${laughs}]><manifest package="&l9;"/>`

/** Malicious archives. */
const archives: Record<string, () => Buffer<ArrayBuffer>> = {
  'bomb.apk': () => zipOf([zeros('AndroidManifest.xml', 256 * MB)]),
  'liar.apk': () => zipOf([zeros('AndroidManifest.xml', 64 * MB, 10)]),
  'laughs.apk': () => zipOf([stored('AndroidManifest.xml', billionLaughs)]),
  '60000-entries.ipa': () =>
    zipOf(Array.from({ length: 60_000 }, (_, n) => stored(`Payload/a.app/${n}.txt`, ''))),
  'traversal.ipa': () =>
    zipOf([
      stored('../../../../etc/passwd', 'x'),
      stored('/etc/passwd', 'x'),
      stored('C:\\x', 'x'),
    ]),
  'cyclic.ipa': () => zipOf([stored('Payload/a.app/Info.plist', cyclicPlist())]),
  'twice.zip': () => zipOf([stored('a', 'one'), stored('a', 'other')]),
  'cut.apk': () => zipOf([zeros('AndroidManifest.xml', 64 * MB)]).subarray(0, 5000),
  'empty.zip': () => zipOf([]),
  'no-archive.dmg': () => Buffer.from('<script>alert(1)</script>'),
}

test('accepts malicious archives without much work, and returns them unchanged', async () => {
  const { host, place } = await aHost()
  const { pid = 0 } = host.process
  const made = Object.entries(archives).map(([name, make]) => [name, make()] as const)
  const before = host.rss()
  for (const [name, bytes] of made) {
    const used = await usedBy(pid)
    const file = await upload(fetchAt(place), new File([bytes], name), { is_public: 'true' })
    expect((await usedBy(pid)) - used, `processor time for ${name}`).toBeLessThan(TAKEN_S)

    const reply = await fetchAt(place)(`/api/files/${file.file_id}/download`)
    const sha256 = createHash('sha256')
      .update(Buffer.from(await reply.arrayBuffer()))
      .digest('hex')
    expect([name, sha256, file.size]).toEqual([
      name,
      createHash('sha256').update(bytes).digest('hex'),
      bytes.length,
    ])
  }
  const honest = new Uint8Array(aZip([{ name: 'AndroidManifest.xml', bytes: aManifest('1.4.2') }]))
  expect((await upload(fetchAt(place), new File([honest], 'honest.apk'))).version).toBe('1.4.2')
  const { builds } = await clientAt(place).builds.list({})
  const grown = Math.round((host.rss() - before) / MB)
  console.log(`24: ${made.length} hostile archives, ${grown} MB more memory`)
  expect(builds).toHaveLength(made.length + 1)
  expect(grown).toBeLessThan(MORE_MEMORY / MB)
  expect(host.stderr).toBe('')
})
