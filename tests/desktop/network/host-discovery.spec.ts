import { expect } from 'playwright/test'
import { test } from '../../support/desktop/app/main-job-test'
import { switchSharing } from '../../support/desktop/app/menu'
import { runOn } from '../../support/machines/on-machine'
import { hasAvahi, openServiceBrowser } from '../../support/desktop/service-browser'

test('another machine finds the host by service discovery while it is shared', async ({
  network,
  folder,
  app,
  window,
}) => {
  test.skip(network.kind === 'one machine', 'discovery is between machines')
  test.skip(!(await hasAvahi()), 'avahi is not installed')
  const services = await openServiceBrowser(network.visitor, folder)
  const { port } = new URL(window.url())
  const found = async () =>
    (await services.find('_http._tcp')).filter(([, , , name]) => name?.includes('Slipway'))
  try {
    expect(await found()).toEqual([])
    expect(await switchSharing(app)).toBe(true)
    await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBe(1)
    const [, , , , , , name = '', address, foundPort, text] = (await found())[0]!
    expect([address, foundPort]).toEqual([network.host.address, port])
    expect(text).toContain('"server=slipway"')
    expect(text).toMatch(/"version=\d+\.\d+\.\d+"/)
    const resolve = [
      '-s',
      '--resolve',
      `${name}:${port}:${address ?? ''}`,
      `http://${name}:${port}/api/host`,
    ]
    expect(await runOn(network.visitor, 'curl', resolve)).toContain('"success":true')

    expect(await switchSharing(app)).toBe(false)
    await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBe(0)
  } finally {
    await services.close()
  }
})
