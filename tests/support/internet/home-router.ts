import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Unpacked } from '../../../scripts/test/tools/unpacked'
import type { Namespaces } from './namespaces'

/** What the router offers to devices at home. miniupnpd speaks PCP wherever it speaks NAT-PMP. */
interface Offers {
  natPmp?: boolean
  upnp?: boolean
  /** More lines of miniupnpd.conf. */
  config?: readonly string[]
  /** The words before miniupnpd, for example of a clock that a test moves. */
  under?: readonly string[]
}

const ROUTER = 'router'
const PROVIDER = 'provider'
const HOME_ADDRESS = '192.168.77.1'
const OUTSIDE = '11.77.0.10'
const PATIENCE_MS = 10_000

/**
 * Like a home router: connections from inside pass, from outside only those that miniupnpd leads
 * in.
 */
const FIREWALL = `
flush ruleset
table inet filter {
  chain forward {
    type filter hook forward priority 0; policy drop;
    ct state established,related accept
    iifname "lan0" accept
    jump miniupnpd
  }
  chain miniupnpd { }
  chain prerouting { type nat hook prerouting priority -100; policy accept; jump prerouting_miniupnpd; jump hairpin_back; }
  chain postrouting {
    type nat hook postrouting priority 100; policy accept;
    jump postrouting_miniupnpd
    jump hairpin
    oifname { "wan0", "wan1" } meta nfproto ipv4 masquerade
  }
  chain prerouting_miniupnpd { }
  chain postrouting_miniupnpd { }
  chain hairpin { }
  chain hairpin_back { }
}`

/** The provider translates the addresses of its customers too (RFC 6598). */
const CARRIER_NAT = `
flush ruleset
table ip nat { chain post { type nat hook postrouting priority 100; policy accept; oifname "wan0" masquerade; }; }`

/** The router of the lab: Debian's miniupnpd in a namespace, with its firewall. */
export class HomeRouter {
  readonly address = HOME_ADDRESS
  readonly address6 = '2a0f:77:1::1'
  /** The address at which the internet reaches it. */
  outside = OUTSIDE
  #daemon: ChildProcess | undefined
  #wan = 'wan0'

  constructor(
    private readonly namespaces: Namespaces,
    private readonly miniupnpd: Unpacked,
    private readonly folder: string,
  ) {
    const forward = 'echo 1 > /proc/sys/net/ipv4/ip_forward'
    namespaces.sh(PROVIDER, forward)
    namespaces.sh(ROUTER, `${forward}; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding`)
    this.#firewall()
  }

  /** Starts miniupnpd, by default with PCP, NAT-PMP and UPnP. Without both it opens no ports. */
  async start({ natPmp = true, upnp = true, config = [], under = [] }: Offers = {}): Promise<void> {
    await this.stop()
    if (!natPmp && !upnp) return
    const path = join(this.folder, 'miniupnpd.conf')
    // miniupnpd keeps the first "yes".
    const usual = this.#config(natPmp, upnp).filter(
      (line) => !config.some((it) => nameOf(it) === nameOf(line)),
    )
    await writeFile(path, [...usual, ...config, ...RULES].join('\n') + '\n')
    const args = ['-d', '-f', path, '-P', join(this.folder, 'miniupnpd.pid')]
    const daemon = this.miniupnpd.file('usr/sbin/miniupnpd')
    const child = startOn(
      this.namespaces.enter(ROUTER),
      [...under, daemon, ...args],
      this.miniupnpd,
    )
    this.#daemon = child.process
    await listening(this.namespaces, ROUTER, upnp ? ':1900' : ':5351', child)
  }

  /** Ends it like a power cut: the daemon, its rules and all connections are gone. */
  async stop(): Promise<void> {
    const daemon = this.#daemon
    this.#daemon = undefined
    if (daemon?.exitCode === null) {
      daemon.kill('SIGKILL')
      await once(daemon, 'exit')
    }
    this.#firewall()
    this.namespaces.sh(ROUTER, 'conntrack -F 2>/dev/null || true')
  }

  /** The provider gives it another address. */
  moveTo(address: string): void {
    this.namespaces.ip(
      ROUTER,
      `addr del ${this.outside}/24 dev wan0`,
      `addr add ${address}/24 dev wan0`,
    )
    this.outside = address
  }

  /**
   * Puts a second NAT between it and the internet. Its outer address is then `outer`: 100.64.0.10
   * of a carrier, a public-looking one, or that of another home router. Restart it afterwards.
   */
  carrierNat(outer = '100.64.0.10'): void {
    const provider = outer.replace(/\d+$/, '1')
    this.namespaces.wire([PROVIDER, 'lan0'], [ROUTER, 'wan1'])
    this.namespaces.ip(PROVIDER, `addr add ${provider}/24 dev lan0`)
    this.namespaces.sh(PROVIDER, `nft -f - <<'NFT'\n${CARRIER_NAT}\nNFT`)
    this.namespaces.ip(ROUTER, 'link set wan0 down', `addr add ${outer}/24 dev wan1`)
    this.namespaces.ip(ROUTER, `route add default via ${provider}`)
    this.#wan = 'wan1'
  }

  /** Takes the second NAT away. Restart it afterwards. */
  noCarrierNat(): void {
    if (this.#wan === 'wan0') return
    this.namespaces.ip(
      ROUTER,
      'link del wan1',
      'link set wan0 up',
      'addr add 2a0f:77::10/64 dev wan0 nodad',
    )
    this.#wan = 'wan0'
  }

  /**
   * Whether devices at home reach this outer port by the outer address, which leads to an inner
   * port of `to`.
   */
  hairpin(port: number, to: { address: string; port: number } | undefined): void {
    const chain = (name: string, rule: string) =>
      `nft 'flush chain inet filter ${name}; add rule inet filter ${name} ${rule}'`
    if (!to) return void this.namespaces.sh(ROUTER, 'nft flush chain inet filter hairpin_back')
    const home = 'ip saddr 192.168.77.0/24 ip daddr 192.168.77.0/24'
    this.namespaces.sh(
      ROUTER,
      [
        chain(
          'hairpin_back',
          `iifname lan0 ip daddr ${this.outside} tcp dport ${port} dnat ip to ${to.address}:${to.port}`,
        ),
        chain('hairpin', `iifname lan0 oifname lan0 ${home} masquerade`),
      ].join('; '),
    )
  }

  #firewall(): void {
    this.namespaces.sh(ROUTER, `nft -f - <<'NFT'\n${FIREWALL}\nNFT`)
  }

  #config(natPmp: boolean, upnp: boolean): string[] {
    const yes = (is: boolean) => (is ? 'yes' : 'no')
    const shared = [
      'listening_ip=lan0',
      'secure_mode=yes',
      'system_uptime=no',
      'min_lifetime=120',
      'max_lifetime=86400',
    ]
    const service = [
      'uuid=00000000-0000-0000-0000-000000000077',
      'http_port=5000',
      'notify_interval=30',
    ]
    const tables = ['upnp_table_name=filter', 'upnp_nat_table_name=filter']
    const offers = [
      `ext_ifname=${this.#wan}`,
      `enable_natpmp=${yes(natPmp)}`,
      `enable_upnp=${yes(upnp)}`,
    ]
    return [...offers, ...shared, ...service, ...tables]
  }
}

const nameOf = (line: string) => line.split('=', 1)[0]

/** Privileged ports other than those of the web stay closed, as many routers have it. */
const RULES = [
  'allow 80 192.168.77.0/24 0-65535',
  'allow 443 192.168.77.0/24 0-65535',
  'allow 1024-65535 192.168.77.0/24 1024-65535',
  'deny 0-65535 0.0.0.0/0 0-65535',
]

interface Started {
  process: ChildProcess
  said: () => string
}

/**
 * Starts a program on the machine that these words enter. It ends with this process. It writes to a
 * file: at a full pipe it would wait for this process, and answer nobody.
 */
export function startOn(
  enter: readonly string[],
  command: readonly string[],
  { env }: Pick<Unpacked, 'env'>,
): Started {
  const words = ['setpriv', '--pdeathsig', 'KILL', ...enter, ...command]
  const path = join(tmpdir(), `slipway-output-${randomUUID()}`)
  const output = openSync(path, 'a+')
  rmSync(path)
  const started = spawn('env', words, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  })
  return { process: started, said: () => readFileSync(`/proc/self/fd/${output}`, 'utf8') }
}

/**
 * Waits until a socket of a machine is bound, e.g. `:1900`. Throws with the output of the program
 * that should.
 */
export async function listening(
  namespaces: Namespaces,
  machine: string,
  socket: string,
  { process: program, said }: Started,
): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (!namespaces.sh(machine, 'ss -Hlunt').includes(`${socket} `)) {
    if (program.exitCode !== null || Date.now() > until)
      throw new Error(`Nothing listens at ${socket}: ${said()}`)
    await pause(20)
  }
}
