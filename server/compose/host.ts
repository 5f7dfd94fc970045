import { RESUMABLE_UPLOADS } from '../contract'
import type { hostSettings } from '../contract/host-settings/host-settings'
import { httpsSettings } from '../contract/host-settings/sharing'
import { internetSettings } from '../contract/host-settings/internet'
import { LiveActivity } from '../features/activity/activity'
import { recordBackup, recordRestore } from '../features/audit/audit-log'
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
  network: Network,
  { running }: Transfers,
) {
  const { dataDir, settings, role } = data

  const events = new EventStreams()
  const serving = servingFrom({ ...config, datesDocuments: role.isAlone }, sources, data.library)
  settings.onChange(() => serving.sharedReplies.forget())

  const dataFolder = new DataFolder({
    dataDir,
    homeDir: config.homeDir ?? dataDir,
    log,
    clock: sources,
    quiet: () => running.uploadsEnded(),
    recordRestore: (dir, from) => recordRestore(dir, sources.now(), { from, via: 'window' }),
  })

  return {
    sources,
    log,
    version: config.version,
    /** Null: no demo. */
    demo: config.demo ?? null,
    trouble: data.trouble,
    /** The folder of the built UI. */
    uiDir: config.uiDir,
    windowSecret: config.windowSecret ?? null,
    serving,
    /** The rate limits at startup. Undefined if off for this run. */
    limits: config.rateLimits === false ? undefined : settings.get(),
    resumableUploads: config.resumableUploads ?? RESUMABLE_UPLOADS,
    overridden: overriddenBy(config),
    events,
    activity: openActivity(data, network, { transfers: running, events }),
    dataFolder,
    backups: await openBackups(data, { sources, log, dataFolder }),
  }
}

const openActivity = (
  { dataDir, listHosts, primaryBlobs }: Foundation['data'],
  { addresses, reach, internet }: Network,
  live: { transfers: Transfers['running']; events: EventStreams },
) =>
  new LiveActivity({
    ...live,
    addresses,
    reach,
    internet,
    dataDir,
    listHosts,
    store: primaryBlobs,
  })

const openBackups = (
  { dataDir, damaged, blobs, disk, clock, readElsewhere, takeShared }: Foundation['data'],
  { sources, log, dataFolder }: Pick<Foundation, 'sources' | 'log'> & { dataFolder: DataFolder },
) =>
  Backups.open({
    dataDir,
    damaged,
    blobs,
    disk,
    log,
    clock: sources,
    trustedClock: clock,
    isMoving: () => dataFolder.isMoving,
    read: readElsewhere,
    takeShared,
    onMade: (path) => recordBackup(dataDir, sources.now(), path),
  })

function overriddenBy({
  publicUrl,
  trustProxy,
  https,
  internet = {},
}: ServerConfig): (keyof typeof hostSettings)[] {
  const names = Object.keys(internetSettings) as (keyof typeof internetSettings)[]

  return [
    ...names.filter((name) => internet[name] !== undefined),
    ...(publicUrl === undefined ? [] : (['public_url'] as const)),
    ...(trustProxy === undefined ? [] : (['trusted_proxies'] as const)),
    ...(https === undefined ? [] : (Object.keys(httpsSettings) as (keyof typeof httpsSettings)[])),
  ]
}
