import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { Addresses } from '../../../server/network/addresses'
import { ownAddresses, type OwnAddress } from '../../../server/core/net/own-address'
import { Proof } from '../../../server/network/proof'
import { routeSource } from '../../../server/network/route-source'
import { TestLog } from '../../support/world/test-log'
import { listening } from '../../support/system/listening'

const loopback: OwnAddress = { address: '127.0.0.1', kind: 'loopback', isOffered: false }
const lan: OwnAddress = { address: '192.168.1.7', kind: 'wifi', isOffered: true }
const docker: OwnAddress = { address: '172.17.0.1', kind: 'virtual', isOffered: false }

/** A machine whose addresses the test changes. */
function aMachine(host: string, ...addresses: OwnAddress[]) {
  const state = {
    bound: { host, port: 4780, also: [] as string[] },
    publicUrl: null as string | null,
    addresses,
  }
  const machine = { addresses: () => state.addresses, source: () => Promise.resolve(undefined) }
  return {
    state,
    machine,
    known: new Addresses({
      bound: () => state.bound,
      publicUrl: () => state.publicUrl,
      machine,
      log: new TestLog(),
    }),
  }
}

const urls = (known: Addresses) => known.list().map(({ url, offered }) => [url, offered])

test('on the network, the address to share is first, the name next, and what reaches few is not offered', () => {
  const { known } = aMachine('0.0.0.0', lan, docker, loopback)
  const [first, name, ...rest] = urls(known)

  expect(first).toEqual(['http://192.168.1.7:4780', true])
  expect(name).toEqual([expect.stringMatching(/^http:\/\/[^.]+\.local:4780$/), false])
  expect(rest).toEqual([
    ['http://172.17.0.1:4780', false],
    ['http://127.0.0.1:4780', false],
  ])
  expect(known.best()).toBe('http://192.168.1.7:4780')
})

test('for this computer only, nothing is offered', () => {
  const { known } = aMachine('127.0.0.1', lan, docker, loopback)

  expect(urls(known)).toEqual([['http://127.0.0.1:4780', false]])
  expect(known.best()).toBeUndefined()
})

test('the public URL is before all others', () => {
  const { known, state } = aMachine('0.0.0.0', lan, loopback)
  state.publicUrl = 'https://builds.example/'

  expect(known.best()).toBe('https://builds.example')
  expect(known.list()[0]).toEqual({ url: 'https://builds.example', kind: 'public', offered: true })
})

test('an IPv6 address is written in brackets, and port 80 not at all', () => {
  const { known, state } = aMachine('::', { address: 'fd00::2', kind: 'network', isOffered: true })
  expect(known.best()).toBe('http://[fd00::2]:4780')

  state.bound = { host: '::', port: 80, also: [] }
  expect(known.best()).toBe('http://[fd00::2]')
})

test('notifies listeners once per change, and not without one', async () => {
  const { known, state } = aMachine('0.0.0.0', lan, loopback)
  let changes = 0
  const stop = known.onChange(() => changes++)
  await known.look()
  await known.look()
  expect(changes).toBe(0)

  state.addresses = [{ address: '192.168.1.8', kind: 'wifi', isOffered: true }, loopback]
  await known.look()
  await known.look()
  expect(changes).toBe(1)
  expect(known.best()).toBe('http://192.168.1.8:4780')

  state.bound = { host: '127.0.0.1', port: 4780, also: [] }
  await known.look()
  expect(changes).toBe(2)
  stop()
  state.addresses = []
  await known.look()
  expect(changes).toBe(2)
})

test('the address on the way to the internet is before others of its kind', () => {
  const ipv4 = (address: string) => ({
    ...{
      address,
      internal: false,
      family: 'IPv4' as const,
      netmask: '255.255.255.0',
      mac: '00:00:00:00:00:01',
    },
    cidr: `${address}/24`,
  })
  const interfaces = {
    lo: [{ ...ipv4('127.0.0.1'), internal: true }],
    eth1: [ipv4('10.0.0.7')],
    utun3: [ipv4('100.64.0.1')],
    wlan0: [ipv4('192.168.1.7'), ipv4('169.254.9.9')],
    'vEthernet (External)': [ipv4('172.20.0.1')],
  }
  const kinds = (source?: string) =>
    ownAddresses(source, interfaces).map(({ address, kind }) => `${address} ${kind}`)

  const rest = [
    '100.64.0.1 vpn',
    '172.20.0.1 virtual',
    '169.254.9.9 link_local',
    '127.0.0.1 loopback',
  ]
  expect(kinds()).toEqual(['10.0.0.7 network', '192.168.1.7 wifi', ...rest])
  expect(kinds('192.168.1.7')).toEqual(['192.168.1.7 wifi', '10.0.0.7 network', ...rest])
  expect(kinds('172.20.0.1')[0]).toBe('172.20.0.1 network')
  expect(kinds('100.64.0.1')[0]).toBe('10.0.0.7 network')
})

test('returns the address of the default route, or none', async () => {
  const source = await routeSource()
  expect(
    source === undefined || ownAddresses(source).some(({ address }) => address === source),
  ).toBe(true)
})

test('a program that answers in our place is found out, another Slipway too', async () => {
  const [ours, theirs] = [new Proof(), new Proof()]
  const server = createServer((request, response) => {
    const nonce = new URL(request.url ?? '', 'http://x').searchParams.get('nonce') ?? ''
    response.end(
      answering === 'prose'
        ? 'Hello'
        : JSON.stringify({ success: true, proof: answering.of(nonce) }),
    )
  })
  let answering: Proof | 'prose' = 'prose'
  const origin = `http://127.0.0.1:${await listening(server)}`

  expect(await ours.ask(origin)).toBe('other_program')
  answering = theirs
  expect(await ours.ask(origin)).toBe('other_program')
  answering = ours
  expect(await ours.ask(origin)).toBe('ok')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(await ours.ask(origin)).toBe('unanswered')
})

test('a system that cannot tell its addresses changes nothing', async () => {
  const { known, state, machine } = aMachine('0.0.0.0', lan, loopback)
  await known.look()
  let changes = 0
  known.onChange(() => changes++)
  Object.defineProperty(state, 'addresses', {
    get: () => {
      throw new Error('no file descriptor is left')
    },
  })
  machine.source = () => Promise.reject(new Error('no file descriptor is left'))

  await known.look()

  expect(known.best()).toBe('http://192.168.1.7:4780')
  expect(changes).toBe(0)
})

test('the address on the internet comes first, and counts as proved only by a connection from outside', async () => {
  const { state, machine } = aMachine('0.0.0.0', lan, loopback)
  let internet: { url: string; isProved: boolean } | undefined = {
    url: 'https://203.0.113.7',
    isProved: false,
  }
  const known = new Addresses({
    ...{ bound: () => state.bound, publicUrl: () => state.publicUrl, machine, log: new TestLog() },
    internet: () => internet,
  })
  const [first] = await known.tested()
  expect(first).toEqual({
    url: 'https://203.0.113.7',
    kind: 'public',
    offered: true,
    test: 'untested',
  })
  expect(known.best()).toBe('https://203.0.113.7')

  internet = { url: 'https://203.0.113.7', isProved: true }
  expect((await known.tested())[0]?.test).toBe('proved')
  internet = undefined
  expect(known.best()).toBe('http://192.168.1.7:4780')
})
