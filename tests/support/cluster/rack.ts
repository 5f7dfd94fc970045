import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Namespaces } from '../internet/namespaces'
import { bucketAt } from '../bucket/outlet'
import type { HostLine } from './hosts'
import { startPostgres, type Postgres } from './postgres'

const ENGINE = '10.66.2.20'
/** At which each host listens. */
const PORT = 4780
/** At which hosts reach the bucket, on the machine of the clients. */
const BUCKET = { host: '10.66.1.5', port: 9000 }
/** On its machine: passes on what comes to a door that its parent has made. */
const DOORS = `process.on('message', (to, door) => door.on('connection', (near) => {
  const far = require('node:net').connect(to)
  near.pipe(far).pipe(near)
  for (const [one, other] of [[near, far], [far, near]]) one.on('error', () => 0).on('close', () => other.destroy())
}))`

/**
 * Machines as network namespaces, whose cables can be pulled. Each host has one to its clients and
 * one to PostgreSQL:
 *
 *     clients 10.66.1.5 ── "front" ─┬─ host-a ─┬─ "back" ── database 10.66.2.20
 *                                   └─ host-b ─┘
 *                                 10.66.1.11, …   10.66.2.11, …
 */
export interface Rack {
  postgres: Postgres
  /** Where hosts run, and how they and the tests reach each other. */
  lines: (database: string) => Promise<HostLine[]>
  /** Pulls the cable of a machine to PostgreSQL, or of PostgreSQL, or puts it back. */
  pull: (machine: string) => void
  plug: (machine: string) => void
  close: () => Promise<void>
}

export async function openRack(hosts: readonly string[]): Promise<Rack> {
  const namespaces = new Namespaces(['clients', 'database', ...hosts], ['front', 'back'])
  namespaces.cable('front', 'clients', 'eth0', '10.66.1.5/24')
  namespaces.cable('back', 'database', 'eth1', `${ENGINE}/24`)
  for (const [index, host] of hosts.entries()) {
    namespaces.cable('front', host, 'eth0', `10.66.1.${11 + index}/24`)
    namespaces.cable('back', host, 'eth1', `10.66.2.${11 + index}/24`)
  }
  const [command = '', ...words] = namespaces.enter('clients')
  const mortal = ['setpriv', '--pdeathsig', 'KILL', process.execPath, '-e', DOORS]
  const doors = spawn(command, [...words, ...mortal], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  /** A port on our loopback that leads to a host as its clients reach it. */
  const doorTo = async (host: string, port: number) => {
    const door = createServer().listen(0, '127.0.0.1')
    await once(door, 'listening')
    const address = door.address() as AddressInfo
    await new Promise((sent) => doors.send({ host, port }, door, {}, sent))
    door.close()
    return `http://127.0.0.1:${address.port}`
  }
  const outlet = await bucketAt(namespaces.enter('clients'), BUCKET)
  const postgres = await startPostgres(
    {},
    { place: { under: namespaces.enter('database'), address: ENGINE } },
  )
  const port = new URL(postgres.url('postgres').replace('@/', '@x/')).searchParams.get('port')
  const set = (state: string) => (machine: string) =>
    namespaces.ip('back', `link set ${machine}-eth1 ${state}`)
  return {
    postgres,
    lines: (database) =>
      Promise.all(
        hosts.map(async (host, index) => {
          const address = `10.66.1.${11 + index}`
          const url = await doorTo(address, PORT)
          return {
            database: `postgresql://slipway@${ENGINE}:${port}/${database}?sslmode=disable`,
            under: [...namespaces.enter(host)],
            peerAddress: `${address}:4405`,
            endpoint: `http://${BUCKET.host}:${BUCKET.port}`,
            also: ['--host', address, '--port', String(PORT), '--public-url', url],
            url,
          }
        }),
      ),
    pull: set('down'),
    plug: set('up'),
    async close() {
      doors.kill('SIGKILL')
      outlet.close()
      await postgres.close()
      namespaces.close()
    },
  }
}
