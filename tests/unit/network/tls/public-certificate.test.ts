import { chmod, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { PublicCertificate } from '../../../../server/network/tls/public-certificate'
import { SmallAuthority } from '../../../support/internet/small-authority'
import { DAY, HOUR } from '../../../support/world/test-clock'
import { CertifiedHost, NAME, serial } from './certified-host'

const host = new CertifiedHost()

describe('an issued certificate', () => {
  test('is offered at once, and again by the next start without an order', async () => {
    expect(await host.order(await host.started())).toEqual({ isProof: true })
    const [none, first] = host.offered
    expect(none).toBeUndefined()
    const orders = host.authority.received.length
    const { current } = await host.started()
    expect(serial(host.offered.at(-1))).toBe(serial(first))
    expect(current?.subject).toBe(NAME)
    expect(Date.parse(current!.until) - Date.parse(current!.from)).toBe(90 * DAY)
    expect(host.authority.received).toHaveLength(orders)
  })

  test('is stored with its key and the key of the account, for the owner of the folder only', async () => {
    await host.order(await host.started())
    const blocks = (await host.stored()).match(/BEGIN [A-Z ]+/g)
    expect(blocks).toEqual(['BEGIN PRIVATE KEY', 'BEGIN PRIVATE KEY', 'BEGIN CERTIFICATE'])
    await chmod(host.path, 0o644)
    await host.started()
    expect((await stat(host.path)).mode & 0o777).toBe(0o600)
  })

  test('is renewed by the same account with another key', async () => {
    const certificate = await host.started()
    await host.order(certificate)
    const before = await host.stored()
    await host.order(certificate)
    const after = await host.stored()
    expect(after.split('-----END')[0]).toBe(before.split('-----END')[0])
    expect(host.offered.at(-1)?.key).not.toBe(host.offered.at(-2)?.key)
    const jwks = host.authority.received
      .filter(({ path }) => path === '/account')
      .map(({ header }) => header['jwk'])
    expect(jwks[1]).toEqual(jwks[0])
  })

  test('is not offered for another name or address', async () => {
    await host.order(await host.started())
    const { current } = await host.started('203.0.113.7')
    expect(current).toBeUndefined()
    expect(host.offered.at(-1)).toBeUndefined()
  })

  test('is recognized in any spelling of its subject', async () => {
    await host.order(await host.started('2001:DB8:0::7'), { subject: '2001:DB8:0::7' })
    expect((await host.started('2001:db8::7')).current?.subject).toBe('2001:db8::7')
    await host.order(await host.started('Builds.Example'), { subject: 'BUILDS.example' })
    expect((await host.started()).current?.subject).toBe(NAME)
  })
})

describe('is due', () => {
  test.each([
    ['at half of six days', 160 * HOUR, 80],
    ['at half of 45 days', 45 * DAY, 22.5 * 24],
    ['30 days before the end of 90', 90 * DAY, 60 * 24],
    ['30 days before the end of 397', 397 * DAY, 367 * 24],
  ])('%s', async (_when, lifetime, hours) => {
    host.authority.lifetime = lifetime
    const certificate = await host.started()
    await host.order(certificate)
    expect(host.hoursUntilDue(certificate)).toBeCloseTo(hours, 1)
    expect(host.hoursUntilDue(await host.started())).toBeCloseTo(hours, 1)
  })

  test('at once without a certificate', async () => {
    expect(host.hoursUntilDue(await host.started())).toBe(0)
  })

  test('after 1, 2, 4, 8, 16 and then each 24 hours after failures, also across starts', async () => {
    host.refuseOrders()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      await expect(host.order(await host.started())).rejects.toMatchObject({
        detail: 'Out of service',
      })
      const again = await host.started()
      waits.push(host.hoursUntilDue(again))
      expect(again.problem).toBe('Out of service')
      host.clock.advance(waits.at(-1)! * HOUR)
      expect(host.hoursUntilDue(again)).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 24, 24, 24])
  })

  test('as late as the authority asks, but at most a day later', async () => {
    host.refuseOrders('rateLimited', { 'Retry-After': String(5 * 3600) })
    await expect(host.order(await host.started())).rejects.toMatchObject({ type: 'rateLimited' })
    expect(host.hoursUntilDue(await host.started())).toBe(5)
    host.refuseOrders('rateLimited', { 'Retry-After': String(500 * 3600) })
    await expect(host.order(await host.started())).rejects.toMatchObject({ type: 'rateLimited' })
    expect(host.hoursUntilDue(await host.started())).toBe(24)
  })

  test('at once for another subject, and after a success by its lifetime', async () => {
    host.refuseOrders()
    await expect(host.order(await host.started())).rejects.toThrow()
    expect(host.hoursUntilDue(await host.started('203.0.113.7'))).toBe(0)
    delete host.authority.answers['/order']
    const certificate = await host.started()
    await host.order(certificate)
    expect(certificate.problem).toBeNull()
    expect(host.hoursUntilDue(await host.started())).toBeCloseTo(60 * 24, 1)
  })

  test('at once at another authority, and served until then', async () => {
    await host.order(await host.started())
    const before = host.authority
    host.refuseOrders()
    await expect(host.order(await host.started())).rejects.toThrow()
    host.authority = await new SmallAuthority().open()
    host.authority.now = host.clock.now
    const certificate = await host.started()
    expect(certificate.current?.subject).toBe(NAME)
    expect([host.hoursUntilDue(certificate), certificate.problem]).toEqual([0, null])
    await host.order(certificate)
    expect(host.hoursUntilDue(await host.started())).toBeCloseTo(60 * 24, 1)
    before.close()
  })

  test('after an hour if the host crashed during an order', async () => {
    const certificate = await host.started()
    const crashed = new Promise<PublicCertificate>((resolve) => {
      host.authority.answers['/order'] = () => resolve(host.started())
    })
    const control = new AbortController()
    const running = host.order(certificate, control).catch(() => undefined)
    expect(host.hoursUntilDue(await crashed)).toBe(1)
    control.abort()
    await running
  })

  test('at once after an order that this host stopped', async () => {
    const control = new AbortController()
    host.authority.answers['/order'] = () => control.abort(new Error('quit'))
    await expect(host.order(await host.started(), control)).rejects.toThrow('quit')
    expect(host.hoursUntilDue(await host.started())).toBe(0)
  })

  test('within a day, if the clock was years ahead when an order failed', async () => {
    host.refuseOrders()
    await expect(host.order(await host.started())).rejects.toThrow()
    host.clock.setClock(-4000 * DAY)
    expect(host.hoursUntilDue(await host.started())).toBe(24)
  })
})
