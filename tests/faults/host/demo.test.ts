import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { tempDir } from '../../support/system/temp-dir'
import { built } from '../../support/world/process'

test('slipway serve --demo shows builds, takes uploads, forgets them, and leaves nothing', async () => {
  const dir = await tempDir()
  const args = ['serve', '--demo', '--demo-ms=12000', '--port', '0', '--password-cost', '4']
  const host = spawn(process.execPath, [join(built(), 'cli.js'), ...args], {
    env: { ...process.env, TMPDIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void host.kill('SIGKILL'))
  const lines = createInterface(host.stdout)[Symbol.asyncIterator]()
  const nextStart = async (): Promise<string> => {
    const { value = '' } = (await lines.next()) as { value?: string }
    return /listening on (\S+)$/.exec(value)?.[1] ?? nextStart()
  }

  const url = await nextStart()
  const client = createClient(url, { fetch: new Browser(url).fetch })
  const { host: about } = await client.host.about({})
  const { usernames = [], password = '' } = about.demo ?? {}
  expect(about.registration_open).toBe(false)
  await client.accounts.login({ username: usernames[0]!, password })
  const count = async () => {
    const reply = (await (await fetch(`${url}/api/projects`)).json()) as { projects: unknown[] }
    return reply.projects.length
  }
  const before = await count()
  expect(before).toBeGreaterThan(1)
  await client.projects.create({ title: 'Mine', is_public: true })
  expect(await count()).toBe(before + 1)

  expect(await nextStart()).toBe(url)
  expect(await count()).toBe(before)
  host.kill('SIGTERM')
  await once(host, 'exit')
  expect(await readdir(dir)).toEqual([])
})

test('slipway serve --demo opens no data folder', async () => {
  const dir = await tempDir()
  const host = spawn(process.execPath, [join(built(), 'cli.js'), 'serve', '--demo', '--data', dir])
  const [code] = (await once(host, 'exit')) as [number]

  expect(code).toBe(1)
  expect(await readdir(dir)).toEqual([])
})
