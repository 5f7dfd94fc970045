import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { InternetView } from '../../../server/contract'
import { slipway, slipwayUnder } from '../../support/world/process'
import { register, startHost } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

/**
 * Without any network on Linux, so that the check asks no router of the place where the tests run.
 */
const alone = process.platform === 'linux' ? ['unshare', '-rn'] : []

test('slipway reach tells without a host that it is closed, and writes nothing', async () => {
  const data = join(await tempDir(), 'data')
  const { code, output } = await slipwayUnder(alone, 'reach', '--data', data)

  expect(code).toBe(2)
  expect(output).toContain(`Slipway is not running on the data folder ${data}`)
  expect(existsSync(data)).toBe(false)
})

test('slipway reach --json prints what the Host page shows', async () => {
  const dir = await tempDir()
  await startHost(dir, { under: alone.length > 0 ? ['env'] : [] })
  const { code, output } = await slipway('reach', '--json', '--data', dir)

  const view = JSON.parse(output) as InternetView
  expect([code, view.way]).toEqual([2, 'off'])
  expect(view.blockers).toEqual(['no_host_account', 'no_rate_limits'])
  expect(view.url).toBeNull()
})

test('--share here keeps a host closed that the page has opened, for this run', async () => {
  const dir = await tempDir()
  const terms = 'https://acme-v02.api.letsencrypt.org/directory'
  await writeFile(
    join(dir, 'settings.json'),
    JSON.stringify({ internet_way: 'router', terms_accepted: terms, host: '0.0.0.0' }),
  )
  const host = await startHost(dir, { limited: true, also: ['--share', 'here'] })
  expect(new URL(host.url).hostname).toBe('127.0.0.1')
  await register(host, 'owner')

  expect(host.stdout).not.toMatch(/internet/)
  await host.stop()
  expect(JSON.parse(await readFile(join(dir, 'settings.json'), 'utf8'))).toMatchObject({
    internet_way: 'router',
  })
})

test('--share internet waits for the host account, and saves nothing of it', async () => {
  const dir = await tempDir()
  const options = [
    '--share',
    'internet',
    '--accept-terms',
    '--stun',
    'localhost:9',
    '--internet-port',
    '4780',
  ]
  const host = await startHost(dir, { limited: true, also: options })

  await expect.poll(() => host.stdout).toContain('opens to the internet once it has a host account')
  await host.stop()
  const kept = await readFile(join(dir, 'settings.json'), 'utf8').catch(() => '{}')
  expect(kept).not.toContain('"router"')
})
