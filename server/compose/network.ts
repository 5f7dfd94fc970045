import { discoveryName } from '../http/pipeline/host-check'
import { Addresses, ownName } from '../network/addresses'
import { Discovery } from '../network/discovery'
import { Reach } from '../network/reach'
import { Https } from '../network/tls/https'
import type { Foundation } from './foundation'

export type Network = ReturnType<typeof composeNetwork>

/** Composes listening, the host's addresses and HTTPS. */
export function composeNetwork({ config, data, ground, sources, log }: Foundation) {
  const { settings, disk } = data
  const { bound } = ground
  const publicUrl = () => config.publicUrl ?? settings.get().publicUrl
  /** The origin that leads to the outside door; null: none does. */
  const publicOrigin = (): string | null => null
  const httpsChoice = () => config.https ?? settings.get().https
  const present = (): string[] => addresses.own().map((it) => it.address)
  const https = new Https({
    dataDir: config.dataDir,
    disk,
    log,
    choice: httpsChoice,
    now: () => sources.now(),
    secure: ground.secure,
    names: () => ({ names: [...new Set(['localhost', discoveryName(), ownName()])], addresses: present() }),
  })
  const addresses = new Addresses({ bound, publicUrl, https, log })
  return {
    bound,
    /** The public address, such as `https://builds.example`; null: not set. */
    publicUrl,
    publicOrigin,
    outsideDoor: ground.outsideDoor,
    trustedProxies: () => config.trustProxy ?? settings.get().trustedProxies,
    https,
    httpsChoice,
    addresses,
    reach: new Reach({ bound, listen: ground.listen, present }),
    discovery: new Discovery({
      bound,
      address: () => addresses.bestOwn(),
      name: () => settings.get().name,
      version: config.version,
      log,
    }),
  }
}
