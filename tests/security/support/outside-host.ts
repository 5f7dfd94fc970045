import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { issue, makeAuthority } from '../../../server/network/tls/certificate'
import { startServer } from '../../../server/index'

/** What the program prints once all of it listens. */
export interface OutsideHost {
  main: number
  /** The outside door, at `https://ADDRESS:door`. */
  door: number
  /** The local end of a tunnel to the door. */
  tunnel: number
  setup: string
}

/** The address that the tunnel reports for each visitor. */
const VISITOR = '198.51.100.4'

/** A host with an outside door, in a process of its own: `outside-host.ts FOLDER ADDRESS`. It trusts a proxy on loopback. */
async function serve(dataDir: string, address: string): Promise<OutsideHost> {
  const here = { dataDir, uiDir: dataDir, version: '1.2.3', host: '127.0.0.1', port: 0 }
  const running = await startServer({ ...here, passwordCost: 4, trustProxy: ['127.0.0.1'] })
  const { network } = running.context
  const names = { names: ['the world'], addresses: [address] }
  network.outsideDoor.offer(issue(makeAuthority(names, new Date()), names, new Date()))
  const door = await network.outsideDoor.open()
  network.publicOrigin = () => `https://${address}:${door}`
  const end = createServer((socket) => network.outsideDoor.take(socket, VISITOR)).listen(0, '127.0.0.1')
  await once(end, 'listening')
  const setup = new URL(running.setupUrl() ?? '').searchParams.get('setup') ?? ''
  return { main: running.bound().port, door, tunnel: (end.address() as AddressInfo).port, setup }
}

const [, , dataDir = '', address = ''] = process.argv
console.log(JSON.stringify(await serve(dataDir, address)))
