import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { needTools, unpacked } from '../system/debian'
import { HomeRouter, listening, startOn } from './home-router'
import { Namespaces, type Machine } from './namespaces'

/**
 * Why this machine cannot run the lab; undefined where it can. In CI it always runs, and fails if
 * it cannot.
 */
export const noLab: string | undefined = cannotUnpack && `needs network namespaces: ${cannotUnpack}`

const MACHINES = ['provider', 'router', 'host', 'phone', 'server', 'visitor'] as const
const STUN_PORT = 3478

/**
 * A small internet of namespaces, which nothing in it can leave:
 *
 *     visitor  11.77.0.50 ─┐                          ┌─ host   192.168.77.20
 *     server   11.77.0.80 ─┼─ "internet" ── router ───┼─ phone  192.168.77.30
 *     provider 11.77.0.2  ─┘   (bridge)   11.77.0.10  └─ (bridge "home")
 *                                        192.168.77.1
 *
 * 11.77.0.0/24 stands for public addresses, because miniupnpd rejects the documentation ones (RFC
 * 5737).
 */
export interface Home {
  router: HomeRouter
  /** Where Slipway runs, and another device at home. */
  host: Machine & { address6: string }
  phone: Machine
  /** A server in the internet, and a visitor there. */
  server: Machine
  visitor: Machine
  namespaces: Namespaces
  /** Gives the host another address at home. */
  moveHost: (address: string) => void
  /** Starts a STUN server (coturn) at `server`, and returns its address and port. */
  startStun: () => Promise<{ host: string; port: number }>
  close: () => Promise<void>
}

/** Opens the lab. The router helps only after `router.start()`. */
export async function openHome(): Promise<Home> {
  await needTools('nft', 'conntrack')
  const programs = await unpacked('miniupnpd-nftables', 'coturn')
  const folder = await mkdtemp(join(tmpdir(), 'slipway-home-'))
  const namespaces = new Namespaces(MACHINES, ['internet', 'home'])
  const close = async () => {
    namespaces.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    connect(namespaces)
    const machine = (name: (typeof MACHINES)[number], address: string) => ({
      address,
      enter: namespaces.enter(name),
    })
    const host = { ...machine('host', '192.168.77.20'), address6: '2a0f:77:1::20' }
    return {
      router: new HomeRouter(namespaces, programs['miniupnpd-nftables'], folder),
      host,
      phone: machine('phone', '192.168.77.30'),
      server: machine('server', '11.77.0.80'),
      visitor: machine('visitor', '11.77.0.50'),
      namespaces,
      moveHost(address) {
        namespaces.ip(
          'host',
          `addr del ${host.address}/24 dev eth0`,
          `addr add ${address}/24 dev eth0`,
          DEFAULT_ROUTE,
        )
        host.address = address
      },
      async startStun() {
        const at = '11.77.0.80'
        const flags = [
          '-n',
          '--stun-only',
          '--no-cli',
          '--no-tls',
          '--no-dtls',
          '--log-file',
          'stdout',
        ]
        const where = ['-L', at, '-p', String(STUN_PORT), '--pidfile', join(folder, 'turn.pid')]
        const program = programs.coturn.file('usr/bin/turnserver')
        const started = startOn(
          namespaces.enter('server'),
          [program, ...flags, ...where],
          programs.coturn,
        )
        await listening(namespaces, 'server', `${at}:${STUN_PORT}`, started)
        return { host: at, port: STUN_PORT }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const DEFAULT_ROUTE = 'route add default via 192.168.77.1'

function connect(namespaces: Namespaces): void {
  namespaces.cable('internet', 'visitor', 'eth0', '11.77.0.50/24', '2a0f:77::50/64')
  namespaces.cable('internet', 'server', 'eth0', '11.77.0.80/24', '2a0f:77::80/64')
  namespaces.cable('internet', 'provider', 'wan0', '11.77.0.2/24')
  namespaces.cable('internet', 'router', 'wan0', '11.77.0.10/24', '2a0f:77::10/64')
  namespaces.cable('home', 'router', 'lan0', '192.168.77.1/24', '2a0f:77:1::1/64')
  namespaces.cable('home', 'host', 'eth0', '192.168.77.20/24', '2a0f:77:1::20/64')
  namespaces.cable('home', 'phone', 'eth0', '192.168.77.30/24', '2a0f:77:1::30/64')
  for (const inner of ['host', 'phone']) {
    namespaces.ip(inner, DEFAULT_ROUTE, 'route add ::/0 via 2a0f:77:1::1')
  }
  for (const outer of ['visitor', 'server'])
    namespaces.ip(outer, 'route add 2a0f:77:1::/64 via 2a0f:77::10')
}
