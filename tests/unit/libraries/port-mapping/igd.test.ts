import { createServer } from 'node:http'
import { processorTime } from '../../../support/system/processor-time'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { IgdRouter } from '../../../../server/libraries/port-mapping/upnp/igd'
import { readDescription } from '../../../../server/libraries/port-mapping/upnp/igd-description'
import { SmallRouter } from '../../../support/internet/small-router'
import type { Behaviour } from '../../../support/internet/small-router-state'

const place = { gateway: '127.0.0.1', own: '127.0.0.1' }
const wanted = { client: '127.0.0.1', port: 4780, external: 443, lifetimeS: 3600 }
const another = { client: '192.168.1.30', port: 80, lifetimeS: 600, nonce: null }

async function start(does: Partial<Behaviour> = {}) {
  const router = await SmallRouter.start(does)
  onTestFinished(() => router.close())
  return { router, igd: new IgdRouter(place, new URL(router.location)) }
}

test.each([1, 2] as const)('maps, renews and unmaps at version %i', async (version) => {
  const { router, igd } = await start({ version })
  const mapping = await igd.map(wanted)

  expect(mapping).toMatchObject({
    protocol: 'upnp',
    external: 443,
    lifetimeS: 3600,
    permanent: false,
    epoch: null,
  })
  expect(mapping.location).toBe(router.location)
  expect(igd.name).toBe('Small Router')
  expect(await igd.outerAddress()).toBe('11.77.0.10')
  expect(await igd.map(wanted)).toEqual(mapping)

  await igd.unmap(mapping)
  expect(router.mappings.size).toBe(0)
  await igd.unmap(mapping)
})

test('asks which device has the port before mapping, also where the router would replace it', async () => {
  const { router, igd } = await start({ overwrites: true })
  router.mappings.set(443, another)

  await expect(igd.map(wanted)).rejects.toMatchObject({
    reason: 'port_taken',
    code: 718,
    holder: '192.168.1.30',
  })
  expect(router.mappings.get(443)).toBe(another)
  expect(router.asked.filter((action) => action.includes('AddPortMapping'))).toEqual([])
})

test('leaves the mapping of another device alone when it unmaps', async () => {
  const { router, igd } = await start()
  const mapping = await igd.map(wanted)
  router.mappings.set(443, another)

  await igd.unmap(mapping)
  expect(router.mappings.get(443)).toBe(another)
})

test('opens the port permanently where the router has no leases, and says so', async () => {
  const { router, igd } = await start({ refuse: { upnp: 725 } })

  expect(await igd.map(wanted)).toMatchObject({ permanent: true, lifetimeS: 0 })
  expect(router.mappings.get(443)).toMatchObject({ lifetimeS: 0 })
})

test('reports the lease that the router keeps, not the one it was asked for', async () => {
  const { igd } = await start({ grantsS: 120 })

  expect(await igd.map(wanted)).toMatchObject({ lifetimeS: 120, permanent: false })
})

test.each([
  [402, 'refused', 'The router does not accept these values (402)'],
  [501, 'refused', 'The router could not open the port (501)'],
  [606, 'refused', 'The router does not allow this (606)'],
  [715, 'refused', 'The router opens ports only to a single visitor (715)'],
  [716, 'refused', 'The router does not accept this port (716)'],
  [718, 'port_taken', 'Another device has this port (718)'],
  [724, 'unsupported', 'The router opens only the port at which this computer listens (724)'],
  [728, 'no_room', 'The router has no room for more ports (728)'],
  [729, 'port_taken', 'The router uses this port itself (729)'],
])('names the error %i', async (code, reason, message) => {
  const { router, igd } = await start({ refuse: { upnp: code } })

  await expect(igd.map(wanted)).rejects.toMatchObject({ reason, code, message })
  expect(router.mappings.size).toBe(0)
})

test.each(['', '0.0.0.0', 'none', '<b>', '999.1.1.1'])(
  'the outer address "%s" is none',
  async (outerAddress) => {
    const { igd } = await start({ outerAddress })

    expect(await igd.outerAddress()).toBeUndefined()
  },
)

describe('a hostile router', () => {
  const endless = (chunk: string): Behaviour['http'] => {
    return (_, response) => {
      const more = () => {
        while (response.writable && response.write(chunk));
      }
      response.on('drain', more)
      more()
      return true
    }
  }
  const says = (body: string, status = 200, headers = {}): Behaviour['http'] => {
    return (_, response) => {
      response.writeHead(status, headers).end(body)
      return true
    }
  }
  const entities = `<!DOCTYPE r [<!ENTITY a "${'ha'.repeat(1000)}"><!ENTITY b "&a;&a;">]><root><friendlyName>&b;</friendlyName></root>`

  test.each([
    ['an endless description', endless('<service>'.repeat(1000))],
    [
      'endless headers',
      (_: unknown, response: { socket: { write: (it: string) => void } | null }) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}`)
        return true
      },
    ],
    ['silence', () => true],
    ['a redirect', says('', 302, { Location: 'http://127.0.0.1:1/' })],
    ['no XML', says('\u0000\u0001 hello')],
    ['nothing', says('')],
    ['entities', says(entities)],
    [
      'a cut reply',
      (_: unknown, response: { socket: { end: (it: string) => void } | null }) => {
        response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<root>')
        return true
      },
    ],
  ] as [string, Behaviour['http']][])(
    'an answer with %s ends in an error',
    { concurrent: true },
    async (_, http) => {
      const router = await SmallRouter.start({ http })
      const igd = new IgdRouter(place, new URL(router.location))

      await expect(igd.map(wanted)).rejects.toMatchObject({
        name: 'MappingError',
        reason: 'silent',
      })
      await router.close()
    },
  )

  test('a router that answers an action with noise ends in an error', async () => {
    const { igd } = await start({
      http(request, response) {
        if (request.method === 'POST') response.writeHead(500).end('<<<errorCode>x</errorCode>')
        return request.method === 'POST'
      },
    })

    await expect(igd.map(wanted)).rejects.toMatchObject({ name: 'MappingError', reason: 'refused' })
  })

  test('cannot send us to another computer', async () => {
    let visits = 0
    const victim = createServer((_, response) => {
      visits++
      response.end()
    }).listen(0, '127.0.0.2')
    await once(victim, 'listening')
    const elsewhere = `http://127.0.0.2:${(victim.address() as AddressInfo).port}`
    const { igd } = await start({
      http: says(`<root><URLBase>${elsewhere}</URLBase><service>
        <serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><controlURL>/control</controlURL></service><service>
        <serviceType>urn:schemas-upnp-org:service:WANPPPConnection:1</serviceType><controlURL>${elsewhere}/</controlURL></service></root>`),
    })

    await expect(igd.map(wanted)).rejects.toMatchObject({ reason: 'silent' })
    expect(visits).toBe(0)
    victim.close()
  })
})

describe('descriptions', () => {
  const location = new URL('http://192.168.1.1:5000/rootDesc.xml')

  test('reads one as a router with DSL sends it: base, namespace, attributes and entities', () => {
    const xml = `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0" configId="7">
      <URLBase>http://192.168.1.1:49000</URLBase><device><friendlyName>Tom &amp; Jane&#8217;s box</friendlyName>
      <serviceList><service><serviceType>urn:schemas-upnp-org:service:WANPPPConnection:1</serviceType>
      <controlURL>igdupnp/control?a=1&amp;b=2</controlURL></service><service>
      <serviceType>urn:schemas-upnp-org:service:WANIPv6FirewallControl:1</serviceType>
      <controlURL>/ipv6</controlURL></service></serviceList></device></root>`

    expect(readDescription(xml, location)).toEqual({
      name: 'Tom & Jane’s box',
      wan: [
        {
          type: 'urn:schemas-upnp-org:service:WANPPPConnection:1',
          url: new URL('http://192.168.1.1:49000/igdupnp/control?a=1&b=2'),
        },
      ],
      pinholes: {
        type: 'urn:schemas-upnp-org:service:WANIPv6FirewallControl:1',
        url: new URL('http://192.168.1.1:49000/ipv6'),
      },
    })
  })

  test('shortens names and drops control characters', () => {
    const { name } = readDescription(
      `<friendlyName>a\u0007\u202e\n${'b'.repeat(500)}</friendlyName>`,
      location,
    )

    expect(name).toBe(`a ${'b'.repeat(58)}`)
  })

  test('no text makes the reader throw or slow', async () => {
    const part = fc.constantFrom(
      '<service>',
      '</service>',
      '<friendlyName ',
      '<x:',
      '>',
      '&amp;',
      '<controlURL>',
      'http://[',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
        expect(() => readDescription(parts.join(''), location)).not.toThrow()
      }),
    )
    for (const piece of [
      '<service>',
      '<friendlyName ',
      '<a:friendlyName>',
      'friendlyName',
      '<friendlyName>x',
    ]) {
      const xml = piece.repeat(200_000 / piece.length)
      expect(await processorTime(() => readDescription(xml, location))).toBeLessThan(1000)
    }
  })
})
