import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noLab, openHome, type Home } from '../../support/internet/home'
import { echoOn, visit } from '../../support/internet/visits'

describe.skipIf(noLab)(`the lab${noLab === undefined ? '' : ` (not run: ${noLab})`}`, () => {
  let home: Home
  let port: number
  let server: string

  beforeAll(async () => {
    home = await openHome()
    port = await echoOn(home.host)
    server = `http://${home.server.address}:${await echoOn(home.server)}/`
  })
  afterAll(() => home.close())

  test('lets devices at home out, and no visitor in', async () => {
    expect(await visit(home.host, server)).toBe(`::ffff:${home.router.outside}`)
    expect(await visit(home.phone, `http://${home.host.address}:${port}/`)).toBe(`::ffff:${home.phone.address}`)
    expect(await visit(home.visitor, `http://${home.router.outside}:${port}/`)).toBeUndefined()
    expect(await visit(home.visitor, `http://[${home.host.address6}]:${port}/`)).toBeUndefined()
  })

  test('leads the house back in only with hairpin', async () => {
    const url = `http://${home.router.outside}:443/`
    expect(await visit(home.phone, url)).toBeUndefined()

    home.router.hairpin(443, { address: home.host.address, port })
    expect(await visit(home.phone, url)).toBe(`::ffff:${home.router.address}`)

    home.router.hairpin(443, undefined)
    expect(await visit(home.phone, url)).toBeUndefined()
  })

  test('shows the address of the carrier', async () => {
    home.router.carrierNat()
    expect(await visit(home.host, server)).toBe('::ffff:11.77.0.2')

    home.router.noCarrierNat()
    expect(await visit(home.host, server)).toBe(`::ffff:${home.router.outside}`)
  })

  test('gives the router and the host other addresses', async () => {
    home.router.moveTo('11.77.0.11')
    home.moveHost('192.168.77.21')

    expect(await visit(home.host, server)).toBe('::ffff:11.77.0.11')
    expect(await visit(home.phone, `http://192.168.77.21:${port}/`)).toBe(`::ffff:${home.phone.address}`)
  })
})
