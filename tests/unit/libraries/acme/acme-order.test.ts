import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refuse, reply } from '../../../support/internet/small-authority'
import { DAY } from '../../../support/world/test-clock'
import { Orders } from './orders'

const orders = new Orders()
const payloadOf = (path: string) =>
  orders.authority.received.find((it) => it.path === path && it.payload)?.payload

describe('orders', () => {
  test('a certificate for a name by TLS-ALPN-01', async () => {
    const { certificate, isProof } = await orders.order()
    expect(new X509Certificate(certificate).subjectAltName).toBe('DNS:builds.example')
    expect(isProof).toBe(true)
    expect(payloadOf('/order')).toEqual({ identifiers: [{ type: 'dns', value: 'builds.example' }] })
    expect(orders.shown).toEqual(['tls', 'nothing', 'nothing'])
  })

  test('a short-lived certificate for an address by HTTP-01', async () => {
    const { certificate } = await orders.order({ subject: '203.0.113.7', by: 'http' })
    expect(new X509Certificate(certificate).checkIP('203.0.113.7')).toBeDefined()
    const identifiers = [{ type: 'ip', value: '203.0.113.7' }]
    expect(payloadOf('/order')).toEqual({ identifiers, profile: 'shortlived' })
    expect(orders.shown[0]).toMatch(/^a-token_1\.[\w-]{43}$/)
  })

  test('no profile that the directory does not offer', async () => {
    orders.authority.meta = {}
    await orders.order({ subject: '203.0.113.7' })
    expect(payloadOf('/order')).not.toHaveProperty('profile')
  })

  test('a certificate for an IPv6 address', async () => {
    const { certificate } = await orders.order({ subject: '2001:db8::7' })
    expect(new X509Certificate(certificate).checkIP('2001:db8::7')).toBeDefined()
  })

  test('without a challenge where the authority has validated the name before, which proves nothing', async () => {
    orders.authority.isKnown = true
    expect((await orders.order()).isProof).toBe(false)
    expect(orders.authority.asked).not.toContain('/challenge')
  })

  test('orders with the agreement and the email of the person only', async () => {
    await orders.order({ agreesToTerms: false })
    expect(payloadOf('/account')).toEqual({})
    orders.authority.received.length = 0
    await orders.order({ email: 'ann@example.com' })
    expect(payloadOf('/account')).toEqual({
      termsOfServiceAgreed: true,
      contact: ['mailto:ann@example.com'],
    })
  })

  test('again with a fresh nonce after each refused one', async () => {
    let refusals = 0
    orders.authority.answers['/order'] = (_request, response) => {
      if (++refusals === 4) delete orders.authority.answers['/order']
      refuse(response, 'badNonce', 'Try another')
    }
    await orders.order()
    const nonces = orders.authority.received
      .map(({ header }) => header['nonce'])
      .filter((it) => it !== undefined)
    expect(new Set(nonces).size).toBe(nonces.length)
  })
})

describe('fails', () => {
  test('after ten refused nonces', async () => {
    orders.authority.answers['/account'] = (_request, response) =>
      refuse(response, 'badNonce', 'Never enough')
    expect(await orders.failure()).toMatchObject({ type: 'badNonce', detail: 'Never enough' })
    expect(orders.authority.asked.filter((it) => it === '/account')).toHaveLength(10)
  })

  test('fails with the words of the authority, and how long to wait', async () => {
    const says = 'too many certificates already issued'
    orders.authority.answers['/order'] = (_request, response) =>
      refuse(response, 'rateLimited', `${says}\u202e\nsee`, { 'Retry-After': '7200' })
    const error = await orders.failure()
    expect(error).toMatchObject({
      type: 'rateLimited',
      detail: `${says} see`,
      retryAfterMs: 7_200_000,
    })
    expect(error.isConnection).toBe(false)
  })

  test('fails with a connection error where the door cannot be reached, and removes the proof', async () => {
    const error = {
      type: 'urn:ietf:params:acme:error:connection',
      detail: '203.0.113.7: Timeout during connect',
    }
    const challenges = [
      { type: 'tls-alpn-01', url: orders.authority.directory, token: 'token', error },
    ]
    let asked = 0
    orders.authority.answers['/authorization'] = (_request, response) =>
      reply(response, { status: asked++ === 0 ? 'pending' : 'invalid', challenges })
    expect(await orders.failure()).toMatchObject({
      type: 'connection',
      detail: error.detail,
      isConnection: true,
    })
    expect(orders.shown).toEqual(['tls', 'nothing', 'nothing'])
  })

  test('if the authority offers no such challenge', async () => {
    orders.authority.answers['/authorization'] = (_request, response) =>
      reply(response, {
        status: 'pending',
        challenges: [{ type: 'dns-01', url: orders.authority.directory, token: 'token' }],
      })
    expect((await orders.failure()).detail).toBe(
      'The authority does not offer tls-alpn-01 for builds.example',
    )
  })

  test('if the authority issues to customers only', async () => {
    orders.authority.meta = { externalAccountRequired: true }
    expect((await orders.failure()).type).toBe('notOffered')
  })

  test('before ordering, if the clock is days ahead or behind', async () => {
    const ahead = await orders.failure({ now: new Date(Date.now() + 3 * DAY) })
    expect(ahead).toMatchObject({ type: 'clock' })
    expect(ahead.detail).toBe(
      'The clock of this computer is 3 days ahead. Set the date, then try again',
    )
    expect((await orders.failure({ now: new Date(Date.now() - DAY) })).detail).toMatch(
      '1 day behind',
    )
    expect(orders.authority.asked).toEqual(['/directory', '/directory'])
  })

  test('if the directory has no https address', async () => {
    expect(
      (await orders.failure({ directory: orders.authority.directory.replace('https', 'http') }))
        .type,
    ).toBe('notOffered')
    expect((await orders.failure({ directory: 'nonsense' })).type).toBe('notOffered')
  })

  test('if this computer does not trust the authority, or cannot connect', async () => {
    const { directory } = orders.authority
    orders.authority.close()
    expect(await orders.failure({ directory })).toMatchObject({
      type: 'unreachable',
      detail: expect.stringMatching('ECONNREFUSED'),
    })
  })

  test('when its signal aborts, with the reason, while it waits', async () => {
    const control = new AbortController()
    orders.authority.answers['/authorization'] = (_request, response) => {
      const challenges = [
        {
          type: 'tls-alpn-01',
          url: orders.authority.directory.replace('directory', 'challenge'),
          token: 'token',
        },
      ]
      reply(response, { status: 'pending', challenges })
      if (orders.shown.length > 0) control.abort(new Error('stopped'))
    }
    expect((await orders.failure({ signal: control.signal })).message).toBe('stopped')
    expect(orders.shown.at(-1)).toBe('nothing')
  })
})
