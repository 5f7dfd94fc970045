import { describe, expect } from 'vitest'
import { api } from '../../../server/contract'
import { networkInterfaces } from 'node:os'
import { refusal } from '../../support/network/reply'
import { NUMBER, ask, opened, settled, test } from '../../support/network/small-home'

const URL_OUTSIDE = `https://${NUMBER}`

describe('internet.show', () => {
  test('asks no router while the host is closed, and says what prevents it', async ({
    atWindow,
    router,
    server,
  }) => {
    const { internet } = await atWindow.client.internet.show({})

    expect(internet).toMatchObject({
      way: 'off',
      state: 'off',
      url: null,
      blockers: [],
      router: null,
    })
    expect(internet).toMatchObject({ registration_open: true, terms_accepted: false, visitors: 0 })
    expect((await atWindow.client.activity.now({})).activity.internet).toBeNull()
    expect(router.asked).toEqual([])
    expect(server.inside.outsideDoor.port).toBeUndefined()
  })
})

describe('internet.check', () => {
  test('asks the router for its address, opens nothing', async ({ atWindow, router, server }) => {
    const { internet } = await atWindow.client.internet.check({})

    expect(internet).toMatchObject({
      ...{ way: 'off', state: 'off', url: null, outer_address: NUMBER },
      router: { address: '127.0.0.1', protocols: ['pcp', 'nat-pmp', 'upnp'] },
    })
    expect(router.mappings.size).toBe(0)
    expect(server.inside.outsideDoor.port).toBeUndefined()
  })
})

describe('internet.open', () => {
  test('opens the port, gets a certificate and closes registration, which the audit log tells', async ({
    atWindow,
    router,
    server,
    authority,
  }) => {
    const internet = await opened(atWindow)

    expect(internet).toMatchObject({
      ...{
        way: 'router',
        state: 'open',
        url: URL_OUTSIDE,
        external_port: 443,
        terms_accepted: true,
      },
      ...{ registration_open: false, proof: { by: 'authority' }, certificate: { problem: null } },
    })
    expect(internet.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      ...['door done', 'router done', 'address done', 'certificate done', 'proof done'],
    ])
    const { port } = server.inside.outsideDoor
    expect(router.mappings.get(443)).toMatchObject({ client: '127.0.0.1', port })
    expect(authority.asked).toContain('/finalize')
    expect(server.inside.settings.get().internet_way).toBe('router')
    expect((await ask(server, '/api/host')).status).toBe(200)

    const { events } = await atWindow.client.audit.list({})
    const told = events.map(({ kind, username, via, subject, detail }) => [
      kind,
      username,
      via,
      subject,
      detail,
    ])
    expect(told).toEqual(
      expect.arrayContaining([
        ['internet_open', 'host', 'window', 'router', null],
        ['registration_close', null, 'host', null, null],
        ['internet_address', null, 'host', null, NUMBER],
        ['internet_certificate', null, 'host', NUMBER, expect.stringContaining('valid until 20')],
      ]),
    )
  })

  test('links use the public address at once; visitors at home keep theirs', async ({
    atWindow,
    server,
  }) => {
    await opened(atWindow)
    const { addresses } = await atWindow.client.host.addresses({})
    expect(addresses[0]).toEqual({
      url: URL_OUTSIDE,
      kind: 'public',
      offered: true,
      test: 'proved',
      last_visit: null,
    })
    expect((await atWindow.client.host.about({})).host).toMatchObject({
      share_url: URL_OUTSIDE,
      reachable: true,
    })
    const outside = JSON.parse((await ask(server, '/api/host')).body) as { host: object }
    expect(outside.host).toMatchObject({ share_url: URL_OUTSIDE })

    const own = Object.values(networkInterfaces())
      .flat()
      .find((it) => it?.family === 'IPv4' && !it.internal)
    if (own) {
      await server.listen('0.0.0.0', 0)
      const reply = await fetch(`http://${own.address}:${server.port}/api/host`)
      expect(await reply.json()).toMatchObject({
        host: { share_url: `http://${own.address}:${server.port}` },
      })
    }
  })

  test('the event stream has the state and the address', async ({ atWindow }) => {
    const stream = await atWindow.browser.fetch(api.activity.events.path)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    await atWindow.client.internet.open({ way: 'router', terms_accepted: true })
    const wanted = `"internet":{"state":"open","url":"${URL_OUTSIDE}"}`
    let read = ''
    for (let isDone = false; !isDone && !read.includes(wanted);) {
      const { value = '', done } = await reader.read()
      read += value
      isDone = done
    }
    await reader.cancel()
    expect(read).toContain(wanted)
    expect(read).toContain('"internet":null')
    expect(read).toContain('"state":"opening"')
  })

  test('needs the terms once', async ({ atWindow, router }) => {
    const asking = atWindow.client.internet.open({ way: 'router' })
    await expect(asking).rejects.toMatchObject(refusal('terms_needed'))
    expect(router.mappings.size).toBe(0)
    await opened(atWindow)
    await atWindow.client.internet.close({})

    await atWindow.client.internet.open({ way: 'router' })
    expect((await settled(atWindow)).state).toBe('open')
  })
})

describe('internet.close', () => {
  test('undoes the mapping and the door, and links use the network again', async ({
    atWindow,
    router,
    server,
  }) => {
    await opened(atWindow)
    const { internet } = await atWindow.client.internet.close({})

    expect(internet).toMatchObject({ way: 'off', state: 'off', url: null, proof: null })
    expect(router.mappings.size).toBe(0)
    expect(server.inside.outsideDoor.port).toBeUndefined()
    expect(server.inside.settings.get().internet_way).toBe('off')
    const { addresses } = await atWindow.client.host.addresses({})
    expect(addresses.map(({ kind }) => kind)).not.toContain('public')
    const { events } = await atWindow.client.audit.list({})
    expect(events[0]).toMatchObject({ kind: 'internet_close', username: 'host', subject: 'router' })
  })

  test('opens registration again, unless it was open or a person decided', async ({ atWindow }) => {
    const { settings, internet } = atWindow.client
    const afterStop = async () => (await internet.close({})).internet.registration_open
    await opened(atWindow)
    expect(await afterStop()).toBe(true)

    await opened(atWindow)
    await settings.change({ registration_open: true })
    await settings.change({ registration_open: false })
    expect(await afterStop()).toBe(false)

    await opened(atWindow)
    expect(await afterStop()).toBe(false)
  })

  test('a closed host stays closed', async ({ atWindow, router }) => {
    expect((await atWindow.client.internet.close({})).internet.state).toBe('off')
    expect(router.asked).toEqual([])
    expect((await atWindow.client.audit.list({ kind: 'internet_close' })).events).toEqual([])
  })
})
