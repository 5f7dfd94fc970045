import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from 'vitest'
import { Addresses } from '../../../../server/network/addresses'
import { DeviceVisits } from '../../../../server/features/internet/visits/device-visits'
import { ownAddresses } from '../../../../server/core/net/own-address'
import { realDisk } from '../../../../server/core/durable-file'
import { DAY, HOUR, MINUTE, SECOND, TestClock } from '../../../support/world/test-clock'
import { TestLog } from '../../../support/world/test-log'

const HOME = 'http://192.168.1.7:4780'
const CONTAINERS = 'http://172.17.0.1:4780'
const PUBLIC = 'https://builds.example'
const PHONE = '192.168.1.50'
const CONTAINER = '172.17.0.9'

const ipv4 = (address: string, internal = false) => ({
  ...{ address, internal, family: 'IPv4' as const, netmask: '', mac: '', cidr: `${address}/24` },
})

/** A host on a Wi-Fi, beside containers; `start` begins a run of it on the same data folder. */
const test = base.extend<{ clock: TestClock; dataDir: string; start: () => Promise<DeviceVisits> }>(
  {
    clock: async ({}, use) => use(new TestClock()),
    dataDir: async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'slipway-visits-'))
      await use(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    },
    start: async ({ clock, dataDir }, use) => {
      const interfaces = {
        lo: [ipv4('127.0.0.1', true)],
        wlan0: [ipv4('192.168.1.7')],
        docker0: [ipv4('172.17.0.1')],
      }
      const machine = {
        addresses: () => ownAddresses(undefined, interfaces),
        source: () => Promise.resolve(undefined),
      }
      const bound = () => ({ host: '0.0.0.0', port: 4780, also: [] })
      const log = new TestLog()
      const addresses = new Addresses({ bound, publicUrl: () => PUBLIC, log, machine })
      await use(async () => {
        const visits = new DeviceVisits({ dataDir, disk: realDisk, clock, log, addresses })
        await visits.read()
        return visits
      })
    },
  },
)

const visit = (origin: string, address: string, isOutside = false) => {
  const { host, protocol } = new URL(origin)
  return { address, host, protocol: protocol.slice(0, -1), isOutside }
}

test.for([
  ['another device', HOME, PHONE, false, '/', true],
  ['another device, by HTTPS', HOME.replace('http', 'https'), PHONE, false, '/', true],
  ['a container, at the address for containers', CONTAINERS, CONTAINER, false, '/', true],
  ['a visitor through a proxy', PUBLIC, '198.51.100.7', false, '/', true],
  ['a container, at the address of the network', HOME, CONTAINER, false, '/', false],
  ['this computer, at its own address', HOME, '192.168.1.7', false, '/', false],
  ['this computer, through a relay', HOME, '127.0.0.1', false, '/', false],
  [
    'a request of the host to itself that a router sends back',
    PUBLIC,
    '192.168.1.1',
    false,
    '/api/host/ping',
    false,
  ],
  ['a visitor at the outside door', HOME, PHONE, true, '/', false],
  ['another port', 'http://192.168.1.7:4781', PHONE, false, '/', false],
] as const)(
  'notes who used an address: %s',
  async ([, origin, sender, isOutside, path, isNoted], { clock, start }) => {
    const visits = await start()
    visits.see(visit(origin, sender, isOutside), path)

    expect(visits.lastAt(origin)).toBe(isNoted ? clock.now().toISOString() : null)
    await visits.settled()
  },
)

test('remembers the last visit after a restart for 7 days, without the visitor', async ({
  clock,
  dataDir,
  start,
}) => {
  const first = await start()
  first.see(visit(HOME, PHONE), '/')
  await first.settled()
  const at = clock.now().toISOString()
  expect(JSON.parse(await readFile(join(dataDir, 'visits.json'), 'utf8'))).toEqual({
    '192.168.1.7:4780': at,
  })

  clock.advance(7 * DAY - 1)
  expect((await start()).lastAt(HOME)).toBe(at)
  clock.advance(1)
  expect((await start()).lastAt(HOME)).toBeNull()
})

test('writes visits to disk once an hour, and looks an address up once a minute', async ({
  clock,
  dataDir,
  start,
}) => {
  const visits = await start()
  const written = async () => {
    await visits.settled()
    return readFile(join(dataDir, 'visits.json'), 'utf8')
  }
  const come = (ms: number) => {
    clock.advance(ms)
    visits.see(visit(HOME, PHONE), '/')
    return visits.lastAt(HOME)
  }
  const first = come(0)
  expect(await written()).toContain(first)
  expect(come(59 * SECOND)).toBe(first)
  expect(come(SECOND)).not.toBe(first)
  expect(await written()).toContain(first)
  come(HOUR)
  expect(await written()).toContain(clock.now().toISOString())
})

test('a link works once, for 10 minutes, on another device', async ({ clock, start }) => {
  const visits = await start()
  const { url } = visits.phoneTest()
  expect(url).toMatch(/^http:\/\/192\.168\.1\.7:4780\/reach\/[\w-]{43}$/)
  const token = url.slice(-43)
  expect(visits.usePhoneTest(token, visit(HOME, '192.168.1.7'))).toBe('here')
  expect(visits.usePhoneTest(token, visit(HOME, PHONE, true))).toBe('here')
  expect(visits.lastAt(HOME)).toBeNull()

  expect(visits.usePhoneTest(token, visit(HOME, PHONE))).toBe('device')
  expect(visits.lastAt(HOME)).toBe(clock.now().toISOString())
  expect(visits.usePhoneTest(token, visit(HOME, PHONE))).toBe('ended')

  const late = visits.phoneTest().url.slice(-43)
  clock.advance(10 * MINUTE)
  expect(visits.usePhoneTest(late, visit(HOME, PHONE))).toBe('ended')
  await visits.settled()
})
