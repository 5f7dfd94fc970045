import type { InternetView } from '../../contract'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import type { Disk } from '../../core/durable-file'
import type { InternetSettings, SettingsData } from '../../data/settings/settings-schema'
import type { Answer } from '../../network/proof'
import type { LanPlace, Mapping, Router } from '../../libraries/port-mapping/router'
import type { PublicCertificate } from '../../network/tls/public-certificate'
import type { Tunnel } from '../../libraries/ssh-tunnel/tunnel'
import type { DynamicName } from './dynamic-name'

/** How to find and use the routers of this network. */
export interface RouterAccess {
  /** Undefined: no network. */
  place: () => Promise<LanPlace | undefined>
  /** All protocols that answer; asks the own network only. */
  find: (place: LanPlace, signal: AbortSignal) => Promise<Router[]>
  /** The router of a mapping of an earlier run, without a search. */
  of: (mapping: Mapping) => Router
  /** Ways through the IPv6 firewall of the router to a global address of this computer. */
  pinholes?: {
    /** Undefined: this computer has no global address. */
    place: () => Promise<LanPlace | undefined>
    find: (place: LanPlace, routers: readonly Router[], signal: AbortSignal) => Promise<Router[]>
  }
  announcements: {
    listen(): Promise<void>
    close(): void
    onNews(listener: (news: { router: string; epoch: number }) => void): unknown
  }
}

/** What opening and closing change together, so that a kill leaves all of it or nothing. */
export type OpeningSettings = InternetSettings & Pick<SettingsData, 'registration_open'>

/** What reaching this host from the internet is made of. */
export interface InternetDeps {
  dataDir: string
  disk: Disk
  log: Pick<Log, 'info' | 'warn'>
  clock: Clock
  door: {
    readonly port: number | undefined
    open(port?: number): Promise<number>
    close(drainMs?: number): Promise<void>
  }
  certificate: Pick<PublicCertificate, 'load' | 'order' | 'current' | 'due' | 'problem'>
  tunnel: Pick<Tunnel, 'open' | 'close' | 'state' | 'onChange' | 'failAsLoopbackOnly'>
  routers: RouterAccess
  /** Keeps the name of this host on its addresses, if the settings say so. */
  name?: Pick<DynamicName, 'look'>
  settings: () => OpeningSettings
  save: (change: Partial<OpeningSettings>) => Promise<unknown>
  blockers: () => InternetView['blockers']
  /** Called after opening or closing has closed the registration or opened it again. */
  onRegistration: (isOpen: boolean) => void
  /** Asks an address of this host for the proof that this host answers. */
  ask: (origin: string) => Promise<Answer>
  /** The source address of the default route; undefined: none. */
  source: () => Promise<string | undefined>
  /** The line for `authorized_keys` of a tunnel's server; creates the key. */
  authorizedKey: (remotePort: number) => Promise<string>
  otherTunnels: () => Promise<InternetView['other_tunnels']>
}

/** How long running downloads may take to finish when the way is closed, in ms. */
export const DRAIN_MS = 1000
