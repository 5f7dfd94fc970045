import { spawnSync } from 'node:child_process'
import { lastWill, type LastWill } from '../system/last-will'

/** A machine of a small network: what runs on it, and the address at which the others reach it. */
export interface Machine {
  address: string
  /** The words before a command that make it run on this machine; none: it runs here. */
  enter: readonly string[]
}

const PREFIX = 'slipway'
let opened = 0
/** Ends what still runs in namespaces, then takes them away with their cables. */
const REMOVE = 'for name; do ip netns pids "$name" | xargs -r kill -9; ip netns del "$name"; done'

/**
 * Else an address changes once more, a second later, and Chromium ends what it loads
 * (ERR_NETWORK_CHANGED).
 */
const NO_DUPLICATE_DETECTION = 'echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad'

/**
 * Machines as network namespaces of Linux, which only root can make. Even after SIGKILL of the
 * tests they are removed. Nothing of them is in our own namespace, so that several tests can use
 * the same names and addresses at once.
 */
export class Namespaces {
  readonly #own: string
  readonly #names: string[]
  readonly #will: LastWill

  constructor(machines: readonly string[], hubs: readonly string[]) {
    opened += 1
    this.#own = `${PREFIX}-${process.pid}-${opened}`
    this.#names = [...machines, ...hubs].map((name) => this.#of(name))
    this.#will = lastWill(REMOVE, ...this.#names)
    try {
      ip('', ...this.#names.map((name) => `netns add ${name}`))
      for (const name of this.#names) {
        ip(name, 'link set lo up')
        spawnSync('ip', ['netns', 'exec', name, 'sh', '-c', NO_DUPLICATE_DETECTION])
      }
      for (const hub of hubs) {
        this.ip(hub, 'link add bridge0 type bridge mcast_snooping 0', 'link set bridge0 up')
      }
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Lays a cable from a hub to a machine, which gets these addresses with their prefixes. */
  cable(hub: string, machine: string, device: string, ...addresses: string[]): void {
    const port = `${machine}-${device}`
    this.ip(
      hub,
      `link add ${port} type veth peer name ${device} netns ${this.#of(machine)}`,
      `link set ${port} master bridge0 up`,
    )
    this.ip(
      machine,
      ...addresses.map((address) => addressing(address, device)),
      `link set ${device} up`,
    )
  }

  /** A cable between two machines. */
  wire([one, device]: readonly [string, string], [other, peer]: readonly [string, string]): void {
    this.ip(
      one,
      `link add ${device} type veth peer name ${peer} netns ${this.#of(other)}`,
      `link set ${device} up`,
    )
    this.ip(other, `link set ${peer} up`)
  }

  /** Runs commands of `ip` on a machine, in order. Throws at the first that fails. */
  ip(machine: string, ...commands: string[]): void {
    ip(this.#of(machine), ...commands)
  }

  /** Runs a shell script on a machine and returns what it prints. Throws with its errors. */
  sh(machine: string, script: string): string {
    const words = [...this.enter(machine), 'sh', '-c', script]
    const { status, stdout, stderr } = spawnSync('env', words, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${script}: ${stderr}`)
    return stdout
  }

  enter(machine: string): readonly string[] {
    return ['ip', 'netns', 'exec', this.#of(machine)]
  }

  close(): void {
    spawnSync('sh', ['-c', REMOVE, 'sh', ...this.#names])
    this.#will.revoke()
  }

  #of(machine: string): string {
    return `${this.#own}-${machine}`
  }
}

/** Duplicate detection would keep an IPv6 address unusable for a second. */
const addressing = (address: string, device: string) =>
  `addr add ${address} dev ${device}${address.includes(':') ? ' nodad' : ''}`

function ip(namespace: string, ...commands: string[]): void {
  const within = namespace === '' ? [] : ['-n', namespace]
  const input = commands.map((command) => `${command}\n`).join('')
  const { status, stderr } = spawnSync('ip', [...within, '-batch', '-'], {
    encoding: 'utf8',
    input,
  })
  if (status !== 0) throw new Error(`ip ${within.join(' ')}: ${input}${stderr}`)
}
