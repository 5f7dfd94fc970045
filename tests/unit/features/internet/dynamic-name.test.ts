import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realDisk } from '../../../../server/core/durable-file'
import { DynamicName, type NameUpdate } from '../../../../server/features/internet/dynamic-name'
import { MINUTE, TestClock } from '../../../support/world/test-clock'
import { tempDir } from '../../../support/system/temp-dir'

const SECRET = 'correct-horse'
const BOTH = { ip4: '203.0.113.7', ip6: '2001:db8::7' }
const clock = new TestClock()

let provider: Server
let base: string
let dataDir: string
let asked: IncomingMessage[]
let answer: (response: ServerResponse) => unknown
let logged: string
let settings: NameUpdate | undefined
let name: DynamicName

beforeEach(async () => {
  asked = []
  logged = ''
  answer = (response) => response.end('good 203.0.113.7')
  provider = createServer((request, response) => {
    asked.push(request)
    answer(response)
  })
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  dataDir = await tempDir()
  settings = {
    way: 'dyndns2',
    url: base,
    user: 'ada',
    password: SECRET,
    name: 'builds.example.org',
  }
  name = restarted()
})
afterEach(() => {
  provider.closeAllConnections()
  provider.close()
})

const log = (fields: object, message: string) => (logged += JSON.stringify(fields) + message)
const restarted = () =>
  new DynamicName({
    dataDir,
    disk: realDisk,
    clock,
    log: { info: log, warn: log },
    update: () => settings,
  })

test('sends both addresses by dyndns2, and nothing again until they change', async () => {
  await name.look(BOTH)
  await name.look(BOTH)
  await restarted().look(BOTH)
  expect(asked.map(({ url }) => url)).toEqual([
    '/nic/update?hostname=builds.example.org&myip=203.0.113.7%2C2001%3Adb8%3A%3A7',
  ])
  expect(asked[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`,
  )
  expect(name.state).toEqual({ kind: 'updated', at: clock.now().toISOString() })

  await name.look({ ...BOTH, ip4: '203.0.113.8' })
  expect(asked).toHaveLength(2)
})

test('calls an address with the addresses filled in', async () => {
  settings = {
    way: 'address',
    url: `${base}/up?token=x&a={ip4}&b={ip6}`,
    user: '',
    password: '',
    name: '',
  }
  answer = (response) => response.end('OK')
  await name.look(BOTH)
  await name.look({ ip4: null, ip6: BOTH.ip6 })

  expect(asked.map(({ url }) => url)).toEqual([
    '/up?token=x&a=203.0.113.7&b=2001%3Adb8%3A%3A7',
    '/up?token=x&a=&b=2001%3Adb8%3A%3A7',
  ])
  expect(asked[0]?.headers.authorization).toBeUndefined()
})

test('does not call an address for a family that it does not use', async () => {
  settings = { way: 'address', url: `${base}/up?a={ip4}`, user: '', password: '', name: '' }
  await name.look({ ip4: null, ip6: BOTH.ip6 })
  await name.look({ ip4: null, ip6: null })
  await name.look(BOTH)
  await name.look({ ...BOTH, ip6: '2001:db8::8' })

  expect(asked.map(({ url }) => url)).toEqual(['/up?a=203.0.113.7'])
})

test.each(['badauth', 'abuse', 'nohost', '!donator', 'KO'])(
  'stops after %s until a person acts',
  async (word) => {
    answer = (response) => response.end(`${word}\n`)
    await name.look(BOTH)
    expect(name.state).toEqual({ kind: 'stopped', problem: word })

    clock.advance(100 * MINUTE)
    await name.look({ ...BOTH, ip4: '203.0.113.9' })
    const next = restarted()
    await next.look(BOTH)
    expect(next.state).toEqual({ kind: 'stopped', problem: word })
    expect(asked).toHaveLength(1)

    answer = (response) => response.end('nochg')
    settings = { ...settings!, password: 'another' }
    await name.look(BOTH)
    expect(name.state.kind).toBe('updated')
  },
)

test('forgets a refusal once the password is another, also if the next try and a restart follow', async () => {
  answer = (response) => response.end('badauth')
  await name.look(BOTH)

  settings = { ...settings!, password: 'another' }
  answer = (response) => response.writeHead(500).end()
  await name.look(BOTH)
  expect(name.state).toMatchObject({ kind: 'waiting', problem: 'HTTP 500' })
  const next = restarted()
  answer = (response) => response.end('good')
  await next.look(BOTH)
  expect(next.state.kind).toBe('updated')
  clock.advance(MINUTE)
  await name.look(BOTH)
  expect(name.state.kind).toBe('updated')
})

test('retries after a refusal once it was turned off and on', async () => {
  answer = (response) => response.end('abuse')
  await name.look(BOTH)
  const kept = settings
  settings = undefined
  await name.look(BOTH)
  expect(name.state).toEqual({ kind: 'idle' })

  settings = kept
  answer = (response) => response.end('good')
  await name.look(BOTH)
  expect(name.state.kind).toBe('updated')
})

test('takes a refused sign-in for badauth', async () => {
  answer = (response) => response.writeHead(401).end('<html>Who are you?')
  await name.look(BOTH)

  expect(name.state).toEqual({ kind: 'stopped', problem: 'badauth' })
})

test('waits half an hour after 911', async () => {
  answer = (response) => response.end('911')
  await name.look(BOTH)
  expect(name.state).toMatchObject({ kind: 'waiting', problem: '911' })

  clock.advance(29 * MINUTE)
  await name.look(BOTH)
  expect(asked).toHaveLength(1)
  clock.advance(MINUTE)
  await name.look(BOTH)
  expect(asked).toHaveLength(2)
})

test('waits longer after each failure of the connection, up to an hour', async () => {
  answer = (response) => response.destroy()
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const before = asked.length
    await name.look(BOTH)
    expect(asked.length).toBe(before + 1)
    clock.advance(minutes * MINUTE - 1)
    await name.look(BOTH)
    expect(asked.length).toBe(before + 1)
    clock.advance(1)
  }
  expect(logged).not.toContain(SECRET)
})

test('sends no password unencrypted, nor to another server that the provider names', async () => {
  settings = { ...settings!, url: 'http://provider.invalid/nic/update' }
  await name.look(BOTH)
  expect(name.state).toEqual({ kind: 'stopped', problem: 'not encrypted' })

  settings = { ...settings, url: base }
  answer = (response) => response.writeHead(302, { location: `${base}/elsewhere` }).end()
  await name.look(BOTH)
  expect(name.state).toMatchObject({ kind: 'waiting', problem: 'HTTP 302' })
  expect(asked).toHaveLength(1)
})

test('reads no more than a short answer', async () => {
  answer = (response) => {
    response.write('good ')
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    }
    response.on('drain', more)
    more()
  }
  await name.look(BOTH)

  expect(name.state.kind).toBe('updated')
})

test('keeps passwords out of the log, the state and every file', async () => {
  const port = new URL(base).port
  settings = {
    way: 'address',
    url: `http://ada:${SECRET}@127.0.0.1:${port}/{ip4}`,
    user: '',
    password: '',
    name: '',
  }
  const words: ((response: ServerResponse) => unknown)[] = [
    (response) => response.end('OK'),
    (response) => response.end('badauth'),
    (response) => response.writeHead(500).end(SECRET),
    (response) => response.destroy(),
  ]
  for (const [index, word] of words.entries()) {
    answer = word
    settings = { ...settings, name: `${index}` }
    await name.look({ ip4: `203.0.113.${index}`, ip6: null })
    logged += JSON.stringify(name.state)
  }
  expect(asked[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`,
  )
  expect(asked).toHaveLength(4)

  for (const file of await readdir(dataDir)) logged += await readFile(join(dataDir, file), 'utf8')
  expect(logged).not.toContain(SECRET)
})
