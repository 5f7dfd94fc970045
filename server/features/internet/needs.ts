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

/** Finds and uses the routers of this network. */
export interface RouterAccess {
  /** Undefined if there is no network. */
  place: () => Promise<LanPlace | undefined>
  /** Finds all protocols that answer. Asks only the local network. */
  find: (place: LanPlace, signal: AbortSignal) => Promise<Router[]>
  /** Returns the router of a mapping of an earlier run, without a search. */
  of: (mapping: Mapping) => Router
  /** Pinholes through the router's IPv6 firewall to a global address of this computer. */
  pinholes?: {
    /** Undefined if this computer has no global address. */
    place: () => Promise<LanPlace | undefined>
    find: (place: LanPlace, routers: readonly Router[], signal: AbortSignal) => Promise<Router[]>
  }
  announcements: {
    listen(): Promise<void>
    close(): void
    onNews(listener: (news: { router: string; epoch: number }) => void): unknown
  }
}

/**
 * The settings that opening and closing change in one write, so that a crash leaves all changes or
 * none.
 */
export type OpeningSettings = InternetSettings & Pick<SettingsData, 'registration_open'>

/** The dependencies of making this host reachable from the internet. */
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
  /** Called after opening or closing has closed or reopened the registration. */
  onRegistration: (isOpen: boolean) => void
  /** Asks an address for the proof that this host answers there. */
  ask: (origin: string) => Promise<Answer>
  /** Returns the source address of the default route. Undefined if there is none. */
  source: () => Promise<string | undefined>
  /** Returns the line for `authorized_keys` of a tunnel's server. Creates the key. */
  authorizedKey: (remotePort: number) => Promise<string>
  otherTunnels: () => Promise<InternetView['other_tunnels']>
}

/** How long running downloads may take to finish after closing, in ms. */
export const DRAIN_MS = 1000
