import { lanAddress } from './lan-address'
import { onPath } from '../../../scripts/test/tools/debian'
import { Namespaces, type Machine } from '../internet/namespaces'

export interface Network {
  /** How the machines are apart, for the record of a test. */
  kind: 'three network namespaces' | 'one machine'
  host: Machine
  visitor: Machine
  ci: Machine
  close(): void
}

const NAMES = ['host', 'visitor', 'ci'] as const

/**
 * Three machines on a switch: network namespaces of Linux, each with an address of its own, which
 * only root can make with iproute2. Elsewhere all three are this machine, which is then reached by
 * its own address on the network.
 */
export function openNetwork(): Network {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  if (!isRoot || onPath('ip') === undefined) return oneMachine()

  const namespaces = new Namespaces(NAMES, ['switch'])
  const machine = (name: (typeof NAMES)[number]) => {
    const address = `10.77.0.${NAMES.indexOf(name) + 1}`
    namespaces.cable('switch', name, 'eth0', `${address}/24`)
    return { address, enter: namespaces.enter(name) }
  }
  const close = () => namespaces.close()
  try {
    return {
      kind: 'three network namespaces',
      host: machine('host'),
      visitor: machine('visitor'),
      ci: machine('ci'),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function oneMachine(): Network {
  const machine = { address: lanAddress() ?? '127.0.0.1', enter: [] }
  return {
    kind: 'one machine',
    host: machine,
    visitor: machine,
    ci: machine,
    close: () => undefined,
  }
}
