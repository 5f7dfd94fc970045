import { discoveryName } from '../http/pipeline/host-check'
import { Addresses, ownName } from '../network/addresses'
import { DeviceVisits } from '../features/internet/visits/device-visits'
import { Discovery } from '../network/discovery'
import type { Internet } from '../features/internet/internet'
import { reachOf } from '../network/outgoing'
import { Reach } from '../network/reach'
import { Https, type HttpsChoice } from '../network/tls/https'
import { PublicFile } from '../network/tls/public-file'
import { background } from '../core/background'
import type { Accounts } from './accounts'
import type { Foundation } from './foundation'
import { composeInternet } from './internet'

export type Network = ReturnType<typeof composeNetwork>

/** Composes listening, the host's addresses, HTTPS and the connection from the internet. */
export function composeNetwork(foundation: Foundation, accounts: Accounts) {
  const { config, data, hostDeps, sources, log } = foundation
  const { dataDir, disk, settings } = data
  const { bound } = hostDeps
  const publicUrl = () => config.publicUrl ?? settings.get().public_url
  /** Returns the origin of the outside door, or null. */
  const publicOrigin = (): string | null => internet.origin()
  const httpsChoice = (): HttpsChoice => config.https ?? settings.get()
  const present = (): string[] => addresses.own().map((it) => it.address)

  const https = composeHttps(foundation, { choice: httpsChoice, present })
  const addresses = new Addresses({
    bound,
    publicUrl,
    https,
    log,
    internet: () => originOf(internet),
  })

  const visits = new DeviceVisits({ dataDir, disk, clock: sources, log, addresses })
  const onCertificate = () => void https.refresh().catch(() => undefined)
  const { internet, name } = composeInternet(foundation, accounts, {
    proof: addresses.proof,
    onCertificate,
  })

  const looking = background(
    log,
    'cannot read the addresses of this computer; keeping the last ones',
  )
  internet.onChange(() => looking(() => addresses.look()))

  return {
    bound,
    /** Returns the public address, such as `https://builds.example`, or null. */
    publicUrl,
    publicOrigin,
    outsideDoor: hostDeps.outsideDoor,
    trustedProxies: () => config.trustProxy ?? settings.get().trusted_proxies,
    https,
    httpsChoice,
    addresses,
    visits,
    internet,
    /** Which addresses this host may call for an account. */
    mayReach: reachOf(settings),
    /** Keeps the domain name of this host up to date. */
    name,
    reach: new Reach({ bound, listen: hostDeps.listen, present }),
    discovery: new Discovery({
      bound,
      address: () => addresses.bestOwn(),
      name: () => settings.get().host_name,
      version: config.version,
      log,
    }),
  }
}

function composeHttps(
  { config, data, hostDeps, sources, log }: Foundation,
  { choice, present }: { choice: () => HttpsChoice; present: () => string[] },
): Https {
  const publicFile = new PublicFile(config.dataDir, data.disk)
  return new Https({
    dataDir: config.dataDir,
    disk: data.disk,
    log,
    choice,
    publicPair: () => publicFile.pair(),
    now: () => sources.now(),
    secure: hostDeps.secure,
    names: () => ({
      names: [...new Set(['localhost', discoveryName(), ownName()])],
      addresses: present(),
    }),
  })
}

function originOf(internet: Internet): { url: string; isProved: boolean } | undefined {
  const url = internet.origin()
  return url === null ? undefined : { url, isProved: internet.view().proof !== null }
}
