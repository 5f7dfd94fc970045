import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { createClient } from '../../../renderer/lib/client/api-client'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/password'
import { HostProcess } from '../support/host-process'
import { Relay } from '../support/relay'
import { aLargeFile, expectArrived, watchOffsets } from '../support/upload-world'
import { choose, MB, startUpload } from '../support/uploading'

test('a host that is killed in the middle of an upload and starts again gets the rest', async ({
  browser,
}, testInfo) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-restart-'))
  const line = await Relay.open()
  let host = await HostProcess.start(dataDir, line.url)
  line.leadTo(host.url)
  const page = await browser.newPage({ baseURL: line.url })
  try {
    const alice = createClient(line.url, { fetch: new Browser(line.url).fetch })
    const account = { username: 'alice', password: PASSWORD }
    await alice.accounts.register({ ...account, email: 'alice@example.com' })
    await alice.accounts.login(account)
    await page.request.post('/api/auth/login', { data: account, headers: { origin: line.url } })
    const file = await aLargeFile(testInfo, 'lantern.apk', 44 * MB)
    await page.goto('/my-files')
    const offsets = watchOffsets(page)
    await choose(page, file.path)
    // The first turn, and a part of the second.
    line.toHost.holdAfter(34 * MB)
    await startUpload(page)
    await expect.poll(() => line.toHost.isHolding).toBe(true)
    await expect.poll(() => offsets.length).toBe(2)
    await host.kill()
    await expect(page.getByText(/^The host is unreachable/)).toBeVisible()
    line.toHost.open()
    host = await HostProcess.start(dataDir, line.url)
    line.leadTo(host.url)
    await expect(page.getByText('File uploaded successfully!')).toBeVisible({ timeout: 60_000 })
    expect(offsets.filter((offset) => offset === 0)).toHaveLength(1)
    await expectArrived(alice, file)
  } finally {
    await page.close()
    await host.kill()
    line.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
