import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noLab, openHome, type Home } from '../../support/internet/home'
import { run } from '../../support/system/debian'

const OURS = pathToFileURL(join(import.meta.dirname, '../../../server/network/internet/observed-address.ts')).href

describe.skipIf(noLab)(`coturn${noLab === undefined ? '' : ` (not run: ${noLab})`}`, () => {
  let home: Home
  let server: string

  beforeAll(async () => {
    home = await openHome()
    const { host, port } = await home.startStun()
    server = `${host}:${port}`
  })
  afterAll(() => home.close())

  /** The address that our client learns on the host. */
  async function observed(): Promise<string> {
    const question = `{ server: '${server}', family: 4, from: '${home.host.address}', signal: AbortSignal.timeout(9000) }`
    const script = `const { observedAddress } = await import('${OURS}'); console.log(await observedAddress(${question}))`
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script]
    const { stdout } = await run('env', [...home.host.enter, ...node])
    return stdout.trim()
  }

  test('tells the address of the router', async () => {
    expect(await observed()).toBe(home.router.outside)
  })

  test('tells the address of the carrier, also where the router has a public-looking one', async () => {
    home.router.carrierNat('11.78.0.10')
    expect(await observed()).toBe('11.77.0.2')
  })
})
