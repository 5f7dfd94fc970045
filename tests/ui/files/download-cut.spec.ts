import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FinishedTransfer } from '../../../server/contract'
import { aBuild, aPublicProject } from '../../support/world/page'
import { expect, test } from '../support/upload-world'
import { MB } from '../support/uploading'
import { sha256 } from '../../support/system/sha256'

/**
 * More than systems buffer of a connection, which is up to 36 MB on Linux: else the host would be
 * done before the cut.
 */
const SIZE = 48 * MB

test('Chromium resumes a cut download: same bytes, sent and counted once', async ({
  page,
  alice,
  host,
  line,
}) => {
  const bytes = new Uint8Array(randomBytes(SIZE))
  const project = await aPublicProject(alice)
  const { file_id } = await aBuild(alice, project, 'lantern-1.0.zip', { bytes })
  const ended: FinishedTransfer[] = []
  host.inside.transfers.onChange((transfer) => transfer && ended.push(transfer))
  await page.goto('/p/lantern')
  const before = line.toBrowser.bytes
  line.toBrowser.holdAfter(8 * MB)
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  const download = await begun
  await expect.poll(() => line.toBrowser.isHolding).toBe(true)
  line.cut()
  line.toBrowser.open()

  expect(sha256(await readFile(await download.path()))).toBe(sha256(bytes))
  await expect.poll(() => ended.map(({ outcome }) => outcome)).toEqual(['broken', 'done'])
  // 8 MB more if it began again.
  expect(line.toBrowser.bytes - before).toBeLessThan(SIZE + 2 * MB)
  await expect.poll(() => host.inside.counts.downloadsOfFile(file_id)).toBe(1)
})
