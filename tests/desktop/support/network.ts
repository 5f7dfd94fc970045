import { spawnSync } from 'node:child_process'
import { lanAddress } from '../../../server/network/own-address'
import { lastWill } from '../../support/system/last-will'

/** A machine of a small network: what runs on it, and the address at which the others reach it. */
export interface Machine {
  address: string
  /** The words before a command that make it run on this machine; none: it runs here. */
  enter: readonly string[]
}

export interface Network {
  /** How the machines are apart, for the record of a test. */
  kind: 'three network namespaces' | 'one machine'
  host: Machine
  visitor: Machine
  ci: Machine
  close(): void
}

const NAMES = ['host', 'visitor', 'ci'] as const
const PREFIX = 'slipway'
let opened = 0
/** Ends what still runs in namespaces, then takes them away with their cables. */
const REMOVE = 'for name; do ip netns pids "$name" | xargs -r kill -9; ip netns del "$name"; done'

/**
 * Three machines on a switch: network namespaces of Linux, each with an address of its own, which only root can make.
 * Elsewhere all three are this machine, which is then reached by its own address on the network.
 */
export function openNetwork(): Network {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return oneMachine()
  const own = `${PREFIX}-${process.pid}-${++opened}`
  const names = [...NAMES, 'switch'].map((name) => `${own}-${name}`)
  const will = lastWill(REMOVE, ...names)
  const close = () => {
    spawnSync('sh', ['-c', REMOVE, 'sh', ...names])
    will.revoke()
  }
  try {
    connect(names.slice(0, -1), names.at(-1)!)
  } catch (error) {
    close()
    throw error
  }
  const [host, visitor, ci] = names
    .slice(0, -1)
    .map((name, index) => ({ address: addressOf(index), enter: entering(name) }))
  return { kind: 'three network namespaces', host: host!, visitor: visitor!, ci: ci!, close }
}

const addressOf = (index: number) => `10.77.0.${index + 1}`
const entering = (name: string) => ['ip', 'netns', 'exec', name]

function oneMachine(): Network {
  const machine = { address: lanAddress() ?? '127.0.0.1', enter: [] }
  return { kind: 'one machine', host: machine, visitor: machine, ci: machine, close: () => undefined }
}

/** A bridge in a namespace of its own, so that nothing of this network is in ours, and a cable to each machine. */
function connect(machines: readonly string[], hub: string): void {
  for (const name of [...machines, hub]) ip('netns', 'add', name)
  ip('-n', hub, 'link', 'add', 'bridge0', 'type', 'bridge')
  ip('-n', hub, 'link', 'set', 'bridge0', 'up')
  for (const [index, name] of machines.entries()) {
    ip('-n', hub, 'link', 'add', `port${index}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('-n', hub, 'link', 'set', `port${index}`, 'master', 'bridge0', 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('-n', name, 'addr', 'add', `${addressOf(index)}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
  }
}

function ip(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  return stdout
}
