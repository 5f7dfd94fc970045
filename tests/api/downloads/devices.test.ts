import { describe, expect } from 'vitest'
import type { TestServer } from '../../support/world/test-server'
import { aProfile, INFO_BINARY } from '../../support/apple-package'
import { propertyList } from '../../support/install/property-list'
import { userAgents } from '../../support/install/user-agents'
import { cookiesOf, PASSWORD } from '../../support/network/link-password'
import { problem, replyOf } from '../../support/network/reply'
import { aDeviceAnswer } from '../../support/network/signed-message'
import { anIpa } from '../../support/packages'
import { aFile, aProject } from '../../support/world/factories'
import { DAY, MINUTE } from '../../support/world/test-clock'
import { test as base } from '../../support/world/http'

const UDID = '00008030-001C2D223A42802E'
const OTHER = 'b'.repeat(40)
const SECURE = { 'x-forwarded-proto': 'https', 'user-agent': userAgents.iPhone }
const MANUAL = { redirect: 'manual' } as const

/** Alice's project with a tester link, behind a proxy that ends TLS. */
const behindProxy = base.extend({ config: { trustProxy: ['127.0.0.1'] } })
const test = behindProxy.extend<{ at: Awaited<ReturnType<typeof aLink>> }>({
  at: async ({ server, alice }, use) => use(await aLink(server, alice)),
})

async function aLink(server: TestServer, alice: Parameters<TestServer['as']>[0]) {
  const owner = server.as(alice)
  const { project_id: id } = await aProject(server, alice)
  const { tester, url } = await owner.testers.create({ id, name: 'Kim\'s "phone"' })
  const path = new URL(url).pathname

  const getProfile = async () => {
    const reply = await server.fetch(`${path}/device.mobileconfig`, { headers: SECURE })
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/x-apple-aspen-config',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    const profile = propertyList(
      (await reply.text()).replace('<integer>1</integer>', '<string>1</string>'),
    )
    return profile as { PayloadContent: { URL: string; Challenge: string } }
  }

  const answer = async (fields: { UDID?: string; PRODUCT?: string; CHALLENGE?: string } = {}) => {
    const CHALLENGE = fields.CHALLENGE ?? (await getProfile()).PayloadContent.Challenge
    return aDeviceAnswer({ UDID, PRODUCT: 'iPhone15,2', ...fields, CHALLENGE })
  }

  const send = (body: Uint8Array, to = path) =>
    server.fetch(`${to}/device`, {
      ...MANUAL,
      method: 'POST',
      headers: { ...SECURE, 'content-type': 'application/pkcs7-signature' },
      body: new Uint8Array(body),
    })

  const list = async (query = '?unconfirmed=true') =>
    (await server.fetchAs(alice)(`/api/projects/${id}/devices.txt${query}`)).text()
  const page = async (more = '', headers: Record<string, string> = {}) =>
    (await server.fetch(path + more, { headers: { ...SECURE, ...headers } })).text()

  return { id, owner, tester, path, getProfile, answer, send, list, page }
}

describe('devices.profile', () => {
  test('asks a device for its identifier and model, and nothing else', async ({ at }) => {
    expect(await at.getProfile()).toMatchObject({
      PayloadType: 'Profile Service',
      PayloadContent: {
        URL: expect.stringMatching(/^https:\/\/.*\/t\/[\w-]{22}\/device$/),
        DeviceAttributes: ['UDID', 'PRODUCT'],
      },
      PayloadOrganization: 'alice',
    })
  })

  test('needs HTTPS and the password of the link', async ({ server, at }) => {
    const plain = await server.fetch(`${at.path}/device.mobileconfig`)
    expect(await replyOf(plain)).toEqual(problem('not_supported'))

    await at.owner.testers.update({ id: at.id, testerId: at.tester.tester_id, password: PASSWORD })
    const locked = await server.fetch(`${at.path}/device.mobileconfig`, { headers: SECURE })
    expect(locked.status).toBe(401)

    const ended = await server.fetch('/t/no-such-token/device.mobileconfig', { headers: SECURE })
    expect(ended.status).toBe(404)
  })
})

describe('devices.add', () => {
  test('keeps a device once, and tells its browser', async ({ at, server }) => {
    const answer = await at.answer()
    const reply = await at.send(answer)
    expect(reply.status).toBe(301)
    await at.send(answer)

    const [device, ...others] =
      (await at.owner.testers.list({ id: at.id })).testers[0]?.devices ?? []
    expect(others).toEqual([])
    expect(device).toMatchObject({ model: 'iPhone15,2', confirmed: false })

    const added = new URL(reply.headers.get('location') ?? '')
    const page = await server.fetch(added.pathname + added.search, { headers: SECURE })
    expect(await page.text()).toContain('got its identifier')
    expect(await at.page()).toContain('Send identifier')
    expect(await at.page('', cookiesOf(page))).not.toContain('Send identifier')
  })

  test('refuses what no iPhone or iPad signed for this profile', async ({
    at,
    bob,
    clock,
    server,
  }) => {
    const other = await aLink(server, bob)
    const late = await at.answer()
    const changed = await at.answer()
    Buffer.from(changed.buffer).write('iPhone16', Buffer.from(changed.buffer).indexOf('iPhone15'))

    for (const [body, code] of [
      [Buffer.alloc(0), 'invalid_input'],
      [Buffer.from('<plist><dict><key>UDID</key></dict></plist>'), 'invalid_input'],
      [Buffer.alloc(60_000, Buffer.from([0x30, 0x80])), 'invalid_input'],
      [Buffer.alloc(70_000), 'too_large'],
      [changed, 'invalid_input'],
      [await at.answer({ PRODUCT: 'Mac14,2' }), 'invalid_input'],
      [await at.answer({ UDID: '../../etc' }), 'invalid_input'],
      [await at.answer({ CHALLENGE: 'guessed' }), 'not_found'],
      [await other.answer(), 'not_found'],
    ] as const)
      expect(await replyOf(at.send(body))).toEqual(problem(code))

    clock.advance(31 * MINUTE)
    expect(await replyOf(at.send(late))).toEqual(problem('not_found'))
    expect(await at.list()).toBe('Device ID\tDevice Name\tDevice Platform\n')
  })

  test('leads the device on by https://, also behind a proxy that is not trusted', async ({
    at,
    server,
  }) => {
    const url = `https://localhost:${server.port}`
    await server.inside.settings.update({ public_url: url })
    const answer = await at.answer()

    const reply = await fetch(`http://localhost:${server.port}${at.path}/device`, {
      ...{ ...MANUAL, method: 'POST', body: new Uint8Array(answer) },
    })
    expect(reply.headers.get('location')).toContain(`${url}${at.path}?device=`)
  })

  test('20 devices are the most of a link', async ({ at }) => {
    for (let number = 10; number < 30; number++)
      expect((await at.send(await at.answer({ UDID: `${number}`.repeat(20) }))).status).toBe(301)
    expect(await replyOf(await at.send(await at.answer()))).toEqual(problem('too_many_records'))
  })
})

describe('devices.list', () => {
  test("is the table that Apple's site reads, until a tester or the link is gone", async ({
    at,
    clock,
    server,
  }) => {
    await at.send(await at.answer())
    await at.send(await at.answer({ UDID: OTHER, PRODUCT: 'iPad13,4' }))
    expect((await at.list()).split('\n')).toEqual([
      'Device ID\tDevice Name\tDevice Platform',
      `${OTHER}\tKim's "phone" iPad13,4\tios`,
      `${UDID}\tKim's "phone" iPhone15,2\tios`,
      '',
    ])
    expect(JSON.stringify(await at.owner.testers.list({ id: at.id }))).not.toContain(OTHER)

    // Only what Apple signed, unless the owner says so; nobody with the link can change that.
    const { library } = server.inside
    const [tester] = library.collection('testers').values()
    const devices = tester!.devices!.map((it) => ({ ...it, isConfirmed: it.udid === OTHER }))
    await library.transact((tx) =>
      tx.put(library.collection('testers'), tester!.id, { ...tester!, devices }),
    )
    await at.send(await at.answer({ UDID: OTHER, PRODUCT: 'iPad1,1' }))
    expect((await at.list('')).split('\n').slice(1)).toEqual([
      `${OTHER}\tKim's "phone" iPad13,4\tios`,
      '',
    ])

    const ends = new Date(clock.now().getTime() + DAY / 2).toISOString()
    await at.owner.testers.update({ id: at.id, testerId: tester!.id, expires_at: ends })
    clock.advance(DAY)
    expect(await at.list()).not.toContain(OTHER)
    clock.advance(-DAY)
    expect(await at.list()).toContain(UDID)

    await at.owner.testers.revoke({ id: at.id, testerId: tester!.id })
    expect(await at.list()).not.toContain(UDID)
  })
})

test('a tester removes the device of the own browser only, and the owner all of them', async ({
  at,
  server,
  alice,
}) => {
  const browsers: Record<string, string>[] = []
  for (const udid of [UDID, OTHER]) {
    const { headers } = await at.send(await at.answer({ UDID: udid }))
    const { pathname, search } = new URL(headers.get('location') ?? '')
    browsers.push(cookiesOf(await server.fetch(pathname + search, { headers: SECURE })))
  }
  const forget = (fetch = server.fetch, headers: Record<string, string> = {}) =>
    fetch(`${at.path}/forget`, { ...MANUAL, method: 'POST', headers: { ...SECURE, ...headers } })

  expect((await forget()).status).toBe(302)
  expect(await at.list()).toMatch(new RegExp(`${OTHER}[^]*${UDID}`))
  const page = await at.page('', browsers[0])
  expect(page.match(/Identifier of an/g)).toHaveLength(1)
  expect(page).toContain('Other devices have sent their identifiers.')

  await forget(server.fetch, browsers[0])
  expect(await at.list()).not.toContain(UDID)
  expect(await at.list()).toContain(OTHER)
  await at.send(await at.answer())
  await forget(server.fetchAs(alice))
  expect(await at.list()).toBe('Device ID\tDevice Name\tDevice Platform\n')
})

test('the install page says beforehand whether a build is for this device', async ({
  at,
  server,
  alice,
}) => {
  const listed = `<key>ProvisionedDevices</key><array><string>${OTHER}</string></array>`
  const profile = aProfile(listed).replace('2027-03-04', '2099-03-04')
  const name = 'Payload/Rocket.app/embedded.mobileprovision'
  const ipa = anIpa(INFO_BINARY, { name, bytes: Buffer.from(profile) })
  await aFile(server, alice, {
    filename: 'rocket.ipa',
    project_id: at.id,
    version: '1.0',
    bytes: new Uint8Array(ipa),
  })

  const onDevice = async (udid: string) => {
    const { headers } = await at.send(await at.answer({ UDID: udid }))
    const { pathname, search } = new URL(headers.get('location') ?? '')
    const page = await server.fetch(pathname + search, { headers: SECURE })
    return at.page('/install', cookiesOf(page))
  }

  expect(await at.page('/install')).toContain('Send the identifier of this device')
  expect(await onDevice(UDID)).toContain('This build does not include this device yet')
  const included = await onDevice(OTHER)
  expect(included).toContain('For 1 registered device, this one included.')
  expect(included).toContain('itms-services')
})
