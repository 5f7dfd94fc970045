import type { Host } from '../../../server/contract'
import { shareWithInternet } from '../../../server/cli/share-internet'
import { ticketFor } from '../../../server/features/install/ticket'
import { enterProject } from '../../../server/features/releases/audience'
import { unlockedAudience } from '../../../server/features/testers/tester-audience'
import { ticketHolder } from '../../../server/features/share-links/recipient'
import { problemReport } from '../../../server/features/host/problem-report'
import type { RunningServer } from '../../../server/index'
import { createRouter } from '../../../server/routes'
import type { RunningTransfers } from '../../../server/http/transfers/running-transfers'
import { start, type Started } from '../../../server/start'
import type { ActivityDelta } from '../../../server/data/library/activity-deltas'
import { applyActivity } from '../../../server/startup/apply-activity'
import { tidy } from '../../../server/startup/sweep'

type ShareChoice = typeof shareWithInternet extends (server: never, ...choice: infer Choice) => void
  ? Choice
  : never

/** Starts a server, and looks inside. */
export async function startInside(
  ...config: Parameters<typeof start>
): Promise<{ running: RunningServer; inside: Inside }> {
  const started = await start(...config)
  return { running: started.server, inside: lookInside(started) }
}

/**
 * What tests see and disturb inside a running server, each thing by one name: what no call of the
 * API shows. Nothing else in the tests knows how the server is composed.
 */
function lookInside({ context, server }: Started) {
  const { accounts, data, files, host, network, projects, transfers, watching } = context
  return {
    users: accounts.users,
    apiKeys: accounts.apiKeys,
    trustedPublishers: context.trustedPublishers,
    audit: accounts.audit,
    invites: accounts.invites,
    manageLinks: accounts.manageLinks,
    pairings: accounts.pairings,
    passwords: accounts.passwords,
    sessions: accounts.sessions,
    blobs: data.blobs,
    library: data.library,
    presence: data.presence,
    releaseKeys: data.releaseKeys,
    secrets: data.secrets,
    settings: data.settings,
    copies: files.copies,
    counts: files.counts,
    files: files.store,
    packages: files.packages,
    publishing: files.publishing,
    quota: files.quota,
    trash: files.trash,
    uploads: files.uploads,
    activity: host.activity,
    backups: host.backups,
    dataFolder: host.dataFolder,
    serving: host.serving,
    publicCopies: context.bucket.publicCopies,
    addresses: network.addresses,
    bound: () => network.bound(),
    https: network.https,
    internet: network.internet,
    outsideDoor: network.outsideDoor,
    projectEvents: projects.events,
    projects: projects.store,
    watches: projects.watches,
    idempotency: transfers.idempotency,
    offeredFiles: transfers.offeredFiles,
    publishLocal: transfers.publishLocal,
    resumable: transfers.resumable,
    transfers: transfers.running as Pick<
      RunningTransfers,
      'count' | 'list' | 'recent' | 'totals' | 'onChange'
    >,
    chosenFolders: watching.chosenFolders,
    watchedFolders: watching.folders,
    webhooks: context.webhooks.sender,
    notices: context.notices.sender,
    retention: context.deletion.retention,
    publicOrigin: () => network.publicOrigin(),
    /** From now on people outside reach the server at this origin; null: nowhere. */
    setPublicOrigin: (origin: string | null) => void (network.publicOrigin = () => origin),
    /** What a replica tells the primary. */
    applyActivity: (deltas: readonly ActivityDelta[]) => applyActivity(context, deltas),
    /** From now on people name this port: that of what stands in front. */
    standAt(port: number) {
      const { bound } = network
      network.bound = () => ({ ...bound(), port })
    },
    /** From now on nothing can be saved, for this reason; null: it can again. */
    setTrouble(trouble: Host['trouble']) {
      data.trouble = () => trouble
      host.trouble = data.trouble
    },
    shareWithInternet: (...choice: ShareChoice) => shareWithInternet(server, ...choice),
    routes: () => createRouter(context).stack,
    /** What the server does every hour. */
    tidy: () => tidy(context),
    report: (facts: Parameters<typeof problemReport>[1]) => problemReport(context, facts),
    /** A ticket as the install page of a project issues it. */
    ticketOf: (slug: string, fileId: string) => {
      const project = projects.store.find(slug)!
      return ticketFor(context, enterProject(context, { kind: 'visitor' }, project), fileId)
    },
    /** The same below a tester link. */
    testerTicketOf: (token: string, fileId: string) =>
      ticketFor(context, unlockedAudience(context, token), fileId),
    /** The same below a share link. */
    shareTicketOf(token: string) {
      const link = files.shareLinks.current(token)
      if (!link) throw new Error('There is no such share link')
      return ticketFor(context, ticketHolder(token, link), link.fileId)
    },
  }
}

export type Inside = ReturnType<typeof lookInside>
