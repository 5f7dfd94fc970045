import { RESUMABLE_UPLOADS } from '../contract'
import { LiveActivity } from '../features/activity/activity'
import { recordBackup } from '../features/audit/audit-log'
import { Backups } from '../features/backups/backups'
import { DataFolder } from '../features/data-folder/data-folder'
import { EventStreams } from '../http/endpoint/event-stream'
import { servingFrom } from '../http/endpoint/serving'
import type { Foundation } from './foundation'
import type { Network } from './network'
import type { ServerConfig } from './server-config'
import type { Transfers } from './transfers'

/** Composes this run of the program and the owner's view of it. */
export async function composeHost(
  { config, data, sources, log }: Foundation,
  { addresses, reach, internet }: Network,
  { running }: Transfers,
) {
  const { dataDir, disk, clock, settings } = data
  const events = new EventStreams()
  const dataFolder = new DataFolder({
    dataDir,
    homeDir: config.homeDir ?? dataDir,
    log,
    clock: sources,
    quiet: () => running.uploadsEnded(),
  })
  return {
    sources,
    log,
    version: config.version,
    windowSecret: config.windowSecret ?? null,
    serving: servingFrom(config),
    /** The rate limits at the start; undefined: off for this run. */
    limits: config.rateLimits === false ? undefined : settings.get().limits,
    resumableUploads: config.resumableUploads ?? RESUMABLE_UPLOADS,
    overridden: overriddenBy(config),
    events,
    activity: new LiveActivity({ transfers: running, addresses, reach, internet, events, dataDir }),
    dataFolder,
    backups: await Backups.open({
      dataDir,
      disk,
      log,
      clock: sources,
      trustedClock: clock,
      isMoving: () => dataFolder.isMoving,
      onMade: (path) => recordBackup(dataDir, sources.now(), path),
    }),
  }
}

/** The settings by the names of the contract. */
const internetNames = {
  port: ['internet_port'],
  name: ['internet_name'],
  acmeDirectory: ['acme_directory'],
  acmeEmail: ['acme_email'],
  stunServer: ['stun_server'],
  tunnel: ['tunnel_server', 'tunnel_port', 'tunnel_user', 'tunnel_remote_port', 'tunnel_fingerprint'],
} as const

function overriddenBy({ publicUrl, trustProxy, https, internet = {} }: ServerConfig) {
  const names = Object.keys(internetNames) as (keyof typeof internetNames)[]
  return [
    ...names.filter((name) => internet[name] !== undefined).flatMap((name) => internetNames[name]),
    ...(publicUrl === undefined ? [] : (['public_url'] as const)),
    ...(trustProxy === undefined ? [] : (['trusted_proxies'] as const)),
    ...(https === undefined ? [] : (['https', 'https_certificate', 'https_key'] as const)),
  ]
}
