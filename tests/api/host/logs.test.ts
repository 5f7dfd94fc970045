import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createClient } from '../../support/network/client'
import { setupTokenOf } from '../../../scripts/seed/setup-link'
import { realDeps, startServer } from '../../../server/index'
import { HostLog, logDir } from '../../../server/core/logging/host-log'
import { Browser } from '../../support/system/browser'
import { test } from '../../support/world/http'

const PASSWORD = 'a very private password'

test('the log of a talkative host holds no password, cookie, key or secret', async ({ folder }) => {
  const dataDir = join(folder, 'data')
  const lines: string[] = []
  const log = new HostLog((line) => void lines.push(line))
  log.keep({ dataDir, level: 'debug' })
  const windowSecret = 'W'.repeat(43)
  const config = {
    dataDir,
    uiDir: folder,
    version: '1.2.3',
    host: '127.0.0.1',
    port: 0,
    windowSecret,
  }
  const host = await startServer(config, { ...realDeps, log })

  const browser = new Browser(host.url, { 'x-slipway-window': windowSecret })
  const client = createClient(host.url, { fetch: browser.fetch })
  const setupUrl = host.setupUrl() ?? ''
  const setup = setupTokenOf(setupUrl)
  await browser.fetch(setupUrl, { headers: { referer: setupUrl } })
  await client.accounts.register({
    username: 'alice',
    email: 'alice@example.com',
    password: PASSWORD,
    setup,
  })
  await client.accounts.login({ username: 'alice', password: PASSWORD })
  const { api_key: key } = await client.apiKeys.create({ name: 'CI' })
  await fetch(`${host.url}/api/files/my-files?token=${key}`, { headers: { 'x-api-key': key } })
  await fetch(`${host.url}/api/auth/login`, { method: 'POST', body: `{"password":"${PASSWORD}"` })
  const { project } = await client.projects.create({ title: 'Rocket' })
  const { url } = await client.testers.create({ id: project.project_id, name: 'Beta group' })
  const token = url.split('/t/')[1] ?? ''
  for (const path of ['', '/latest', '/latest/atari', '/unlock'])
    await fetch(`${host.url}/t/${token}${path}`)
  log.error(
    { err: new Error(`refused ${key} at ${setupUrl}`), headers: { cookie: browser.cookie }, key },
    `${PASSWORD.length} letters`,
  )
  await host.close()

  const kept = await readFile(join(logDir(dataDir), 'slipway.log'), 'utf8')
  expect(kept.trimEnd().split('\n')).toEqual(lines)
  expect(kept).toContain('"path":"/api/auth/login","status":200')
  expect(kept).toContain('refused apk_[redacted]')
  expect(kept).toContain('"path":"/t/[redacted]')
  const cookies = browser.cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1))
  expect(cookies.length).toBeGreaterThan(0)
  for (const secret of [PASSWORD, key, windowSecret, setup, token, ...cookies])
    expect(kept).not.toContain(secret)
})
