import {
  aLargeFile,
  beginUpload,
  expect,
  expectArrived,
  test,
  watchOffsets,
} from '../support/upload-world'
import { choose, KB, picked, startUpload } from '../support/uploading'

test('a small file whose answer is lost is sent again, and stored once', async ({
  page,
  alice,
  line,
  complaints,
}) => {
  await page.goto('/my-files')
  const decided = Promise.withResolvers<undefined>()
  await page.route('**/api/files/upload', async (route) => {
    await decided.promise
    await route.continue()
  })
  await choose(page, picked('lantern.apk'))
  await startUpload(page)
  line.toBrowser.holdAfter(0)
  decided.resolve(undefined)
  await expect.poll(async () => (await alice.files.mine({})).total).toBe(1)
  line.cut()
  line.toBrowser.open()

  await expect(page.getByText('File uploaded successfully!')).toBeVisible()
  await expect(page.getByRole('row', { name: /lantern\.apk/ })).toHaveCount(1)
  expect((await alice.files.mine({})).total).toBe(1)
  complaints.length = 0
})

test('a small file on a dead line is given up, and sent again', async ({ page, alice, line }) => {
  await page.clock.install()
  await page.goto('/my-files')
  line.toHost.holdAfter(150 * KB)
  await choose(page, picked('lantern.apk', 250 * KB))
  await startUpload(page)
  await expect.poll(() => line.toHost.isHolding).toBe(true)
  // The system may take the rest at any time, also just after the jump; then the page waits for the
  // answer from there on.
  await expect(async () => {
    await page.clock.fastForward(181_000)
    await expect(page.getByText(/^The host is unreachable/)).toBeVisible({ timeout: 2000 })
  }).toPass()
  line.toHost.open()

  await expect(page.getByText('File uploaded successfully!')).toBeVisible({ timeout: 30_000 })
  expect((await alice.files.mine({})).total).toBe(1)
})

test('a large upload times out after 45 silent seconds and resumes', async ({
  page,
  alice,
  line,
}, testInfo) => {
  const file = await aLargeFile(testInfo, 'lantern.apk')
  await page.clock.install()
  await page.goto('/my-files')
  const offsets = watchOffsets(page)
  await beginUpload(page, line, file)
  const tries = offsets.length
  await page.clock.fastForward(46_000)
  await expect.poll(() => offsets.length).toBeGreaterThan(tries)
  line.toHost.open()

  await expect(page.getByText('File uploaded successfully!')).toBeVisible({ timeout: 30_000 })
  expect(offsets.filter((offset) => offset === 0)).toHaveLength(1)
  await expectArrived(alice, file)
})
