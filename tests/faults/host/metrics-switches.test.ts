import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Host } from '../../support/world/process'
import { tempDir } from '../../support/system/temp-dir'
import { startHost } from '../../support/world/place'

test('--metrics-port serves metrics on loopback, and prints where', async () => {
  const host = await startHost(join(await tempDir(), 'data'), { also: ['--metrics-port', '0'] })
  await expect
    .poll(() => host.stdout)
    .toMatch(/^Metrics are at http:\/\/127\.0\.0\.1:\d+\/metrics$/m)

  const [, url = ''] = /^Metrics are at (\S+)$/m.exec(host.stdout) ?? []
  const text = await (await fetch(url)).text()
  expect(text).toContain('\nslipway_accounts 0\n')
  expect(text).toContain('\nnodejs_eventloop_lag_seconds ')
  await host.stop()
})

test('--metrics-token-file alone serves them at the main port', async () => {
  const dir = await tempDir()
  const token = 'b'.repeat(64)
  await writeFile(join(dir, 'token'), `${token}\n`)
  const host = await startHost(join(dir, 'data'), {
    also: ['--metrics-token-file', join(dir, 'token')],
  })

  const statusWith = async (secret: string) =>
    (await fetch(`${host.url}/metrics`, { headers: { authorization: `Bearer ${secret}` } })).status
  expect([await statusWith(token), await statusWith('c'.repeat(64))]).toEqual([200, 401])
  expect(host.stdout).not.toContain(token)
  await host.stop()
})

test('a taken port stops the start with the reason', async () => {
  const dir = await tempDir()
  const first = await startHost(join(dir, 'first'), { also: ['--metrics-port', '0'] })
  await expect.poll(() => first.stdout).toContain('Metrics are at')
  const [, port = ''] = /:(\d+)\/metrics/.exec(first.stdout) ?? []

  const second = Host.start(join(dir, 'second'), { also: ['--metrics-port', port] })
  await expect(second).rejects.toThrow(
    /Cannot serve metrics.*choose another address with --metrics-port/,
  )
})
