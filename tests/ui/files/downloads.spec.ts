import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  aBuild,
  aPublicProject,
  expect,
  pageOf,
  visitorTest as test,
} from '../../support/world/page'
import { sha256 } from '../../support/system/sha256'

test('the lines that check a file are a click away, for three systems', async ({ page, alice }) => {
  const project = await aPublicProject(alice)
  const file = await aBuild(alice, project, 'lantern-1.0.zip')
  await page.goto('/p/lantern')
  await page.getByText('Check the file').click()

  for (const system of ['macOS', 'Linux', 'Windows (PowerShell)']) {
    await expect(page.getByRole('region', { name: `Check the file on ${system}` })).toContainText(
      file.sha256,
    )
  }
})

test('all files come as one zip that unzip and sha256sum accept', async ({ page, alice }, info) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-1.0.zip')
  await aBuild(alice, project, 'lantern-1.0.apk')
  await page.goto('/p/lantern')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download all' }).click(),
  ])
  const path = info.outputPath('lantern.zip')
  await download.saveAs(path)
  execFileSync('unzip', ['-q', path, '-d', info.outputPath('out')])
  const checked = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], {
    cwd: info.outputPath('out'),
    encoding: 'utf8',
  })

  expect(download.suggestedFilename()).toBe('lantern.zip')
  expect(checked.trim().split('\n')).toEqual(['lantern-1.0.apk: OK', 'lantern-1.0.zip: OK'])
})

test('the details of a build have its digest', async ({ browser, host, alice }) => {
  const project = await aPublicProject(alice)
  const { sha256: digest } = await aBuild(alice, project, 'lantern-1.0.apk')
  const page = await pageOf(browser, host, 'alice')
  await page.goto('/apk-builds')
  await page.getByRole('button', { name: 'Details lantern-1.0.apk' }).click()
  await expect(page.getByRole('dialog').getByText(digest)).toBeVisible()
  await page.getByRole('button', { name: 'Copy SHA-256' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
})

const limited = test.extend({ config: { rateLimits: true } })

limited(
  'a browser that gives up half-way counts nothing, and once when it has all of it',
  async ({ page, host, alice }) => {
    const bytes = new Uint8Array(randomBytes(20_000_000))
    const project = await aPublicProject(alice)
    const { file_id } = await aBuild(alice, project, 'lantern-1.0.zip', { bytes })
    const { settings, transfers: runningTransfers, counts } = host.inside
    const limit = (bytesPerSecondPerTransfer: number | null) =>
      settings.update({ bytes_per_second_per_transfer: bytesPerSecondPerTransfer })
    const begin = async () => {
      const begun = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download', exact: true }).click()
      return begun
    }
    await page.goto('/p/lantern')
    await limit(1_000_000)
    await (await begin()).cancel()
    await expect.poll(() => runningTransfers.count).toBe(0)
    expect(counts.downloadsOfFile(file_id)).toBe(0)
    await limit(null)
    const whole = await begin()

    expect(sha256(await readFile(await whole.path()))).toBe(sha256(bytes))
    // It counts once the host knows that the last byte has left.
    await expect.poll(() => counts.downloadsOfFile(file_id)).toBe(1)
  },
)
