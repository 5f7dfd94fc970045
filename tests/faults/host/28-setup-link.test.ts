import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, problem, replyOf } from '../../support/network/reply'
import { setupLinkIn } from '../../../scripts/seed/setup-link'
import { Host } from '../../support/world/process'
import { tempDir } from '../../support/system/temp-dir'
import { startHost } from '../../support/world/place'

async function aDataDir(): Promise<string> {
  const dir = await tempDir()
  return dir
}

async function start(dir: string): Promise<Host> {
  const host = await startHost(dir, { also: ['--log-level', 'debug'] })
  return host
}

const register = ({ url }: Host, username: string, setup?: string) => {
  const account = { username, email: `${username}@example.com`, password: 'correct horse', setup }
  return replyOf(fetch(`${url}/api/auth/register`, json('POST', account)))
}

test('a headless host prints a new setup link at each start until it has a host account', async () => {
  const dir = await aDataDir()
  const first = await start(dir)
  expect(setupLinkIn(first.stdout)).toMatch(
    new RegExp(`^${first.url}/register\\?setup=[\\w-]{22}$`),
  )
  expect(await register(first, 'stranger')).toMatchObject({
    status: 201,
    body: { user: { is_host: false } },
  })
  await first.stop()

  const second = await start(dir)
  expect(second.setup).not.toBe(first.setup)
  await fetch(setupLinkIn(second.stdout) ?? '')
  expect(await register(second, 'owner', first.setup)).toEqual(problem('setup_link_invalid'))
  expect(await register(second, 'owner', second.setup)).toMatchObject({
    body: { user: { is_host: true } },
  })
  await second.stop()

  const third = await start(dir)
  expect(third.stdout).not.toContain('setup=')
  await third.stop()
  const log = await readFile(join(dir, 'logs/slipway.log'), 'utf8')
  expect(log).toContain('/register')
  for (const { setup = '' } of [first, second]) expect(log).not.toContain(setup)
})
