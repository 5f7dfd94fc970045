import { background } from '../core/background'
import type { AppContext, Rooms } from '../compose/context'
import type { ServerConfig } from '../compose/server-config'
import type { Listener } from '../http/listen/listener'
import type { Wire } from '../http/listen/peer'
import { findOld } from '../features/retention/plan'
import { workWhenIdle } from './idle-reading'
import { recoveryText } from './recovery-notice'
import { tidy } from './sweep'
import { releaseStartMemory } from './young-generation'

/** How long after a start the release keys are loaded, which takes pieces of 60 ms, in ms. */
const LOAD_KEYS_AFTER_MS = 500
/** How often ended sessions and old trash are removed, in ms. */
const TIDY_EVERY_MS = 3_600_000
/** How often a host that only reads reads the settings, in ms. */
const REREAD_MS = 1000
/** How often to check whether a backup is due, in ms. */
const BACKUP_LOOK_MS = 60_000

/** Keeps discovery, listening and HTTPS in line with the network and the settings. */
function followChanges({
  network: { addresses, discovery, reach, https },
  data: { settings },
  host: { log },
}: Rooms<'data' | 'host' | 'network'>): void {
  discovery.update()
  settings.onChange(() => discovery.update())
  addresses.onChange(() => {
    discovery.update()
    void reach
      .follow()
      .catch((err: unknown) => log.error({ err }, 'cannot listen on a chosen address'))
    void https.refresh().catch(() => undefined)
  })
}

interface Chores {
  recovery: Promise<string>
  /** Starts to stop; resolves once nothing runs any more. */
  stop: () => Promise<void>
}

/** Cleans up after the last run, starts the watched folders, and schedules recurring work. */
export function startChores(
  context: AppContext,
  { idleLookMs }: Pick<ServerConfig, 'idleLookMs'>,
): Chores {
  releaseStartMemory()
  const { maySend, primary } = context.data.role
  if (maySend) context.transfers.running.recheckBy(() => Promise.resolve(maySend()))
  const stopLoading = loadKeysSoon(context)
  if (primary) return startReading(context, stopLoading)
  followChanges(context)
  const internet = background(context.host.log, 'cannot open the way from the internet')
  internet(() => context.network.internet.start())
  const copying = background(context.host.log, 'cannot copy files to the bucket')
  copying(() => context.bucket.publicCopies.start())
  const resumableUploads = context.files.uploads.unfinished().length
  const tidied = tidy(context)
  context.watching.folders.start()
  context.webhooks.sender.start()
  context.notices.sender.start()
  context.deletion.retention.start(findOld)
  const stopRepeating = repeatChores(context)
  const stopWorking = workWhenIdle(context, idleLookMs)
  const recovery = tidied.then((removed) =>
    recoveryText({ ...context.data.library.readBack, ...removed, resumableUploads }),
  )
  const stop = async () => {
    stopLoading()
    stopRepeating()
    await stopWorking()
  }
  return { recovery, stop }
}

/** A host that only reads leaves recurring work out, and follows files that change. */
function startReading({ data, bucket }: Rooms<'data' | 'bucket'>, stopLoading: () => void): Chores {
  bucket.followed?.start()
  const looking = setInterval(() => void data.settings.reread(), REREAD_MS).unref()
  const stop = () => {
    stopLoading()
    data.presence.end()
    clearInterval(looking)
    bucket.followed?.stop()
    return Promise.resolve()
  }
  return { recovery: Promise.resolve(''), stop }
}

function loadKeysSoon({
  data: { releaseKeys },
  host: { log },
}: Rooms<'data' | 'host'>): () => void {
  const keys = background(log, 'cannot load the release keys')
  const loading = setTimeout(() => keys(() => releaseKeys.warmUp()), LOAD_KEYS_AFTER_MS).unref()
  return () => clearTimeout(loading)
}

function repeatChores(context: AppContext): () => void {
  const backups = background(context.host.log, 'cannot check whether a backup is due')
  const tidying = setInterval(() => {
    void tidy(context)
    context.deletion.retention.followAll()
    void context.network.https.refresh().catch(() => undefined)
  }, TIDY_EVERY_MS).unref()
  const backingUp = setInterval(
    () => backups(() => context.host.backups.tick()),
    BACKUP_LOOK_MS,
  ).unref()
  return () => {
    context.data.presence.end()
    clearInterval(tidying)
    clearInterval(backingUp)
  }
}

/**
 * Stops the server: ends running work, closes every connection, and flushes the last change to
 * disk. Leaves the connections of running downloads open if they continue.
 */
export async function closeInOrder(
  context: AppContext,
  { listener, door }: { listener: Listener; door: Pick<Listener, 'close'> | undefined },
  downloadsGoOn: boolean,
): Promise<void> {
  const { drainMs, primary } = context.data.role
  // First of all, so that no new visitors arrive from outside while the rest closes.
  await context.network.internet.stop()
  const outside = context.network.outsideDoor.close(drainMs)
  // Running copies are cut and resume at the next start.
  await Promise.all([
    context.host.dataFolder.close(),
    context.host.backups.close(),
    context.bucket.publicCopies.stop(),
  ])
  await Promise.all([
    context.webhooks.sender.stop(),
    context.notices.sender.stop(),
    context.deletion.retention.stop(),
    context.previews.stop(),
  ])
  context.network.addresses.close()
  context.host.events.close()
  const passed = door?.close(drainMs)
  const unannounced = context.network.discovery.close()
  const stays = (wire: Wire) => context.transfers.running.downloadsOver(wire)
  const drained = downloadsGoOn ? listener.closeBut(stays, drainMs) : listener.close(drainMs)
  await context.watching.folders.close()
  await context.transfers.resumable.close()
  await Promise.all([outside, drained, passed, unannounced])
  await context.transfers.resumable.close()
  await Promise.all([context.files.packages.close(), context.pictures.maker.close()])
  if (downloadsGoOn) {
    context.transfers.downloads.countRunning()
    context.transfers.limitedDownloads.countRunning()
  }
  // A new port, which restarts the app, is saved while its server closes.
  await Promise.all([
    context.data.settings.settled(),
    context.network.visits.settled(),
    context.repositories.dates.idle(),
  ])
  await Promise.all([context.accounts.audit.close(), context.data.blobs.endSweep()])
  // If this fails, the trusted clock is at most an hour old.
  const mayWrite = async () => !primary && (await context.data.held.isHeld())
  if (await mayWrite()) await context.data.clock.keep().catch(() => undefined)
  await context.data.library.close()
  if (await mayWrite()) await context.data.catalogue.close()
}
