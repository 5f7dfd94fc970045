import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import { linkEnded } from '../../access/link-ended'
import type { Rooms } from '../../compose/context'
import { api, type ShareLink } from '../../contract'
import type { ShareLinkRecord } from '../../data/records/file-records'
import { callerOf } from '../../http/endpoint/call'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { installSenders } from '../install/routes'
import { requireTicket } from '../install/ticket'
import type { Plan } from '../../http/send/download-plan'
import { findLock, hashLinkPassword, presentLink } from '../access-links/link-calls'
import { serveUnlock } from '../access-links/serve-unlock'
import {
  actAsRecipient,
  findShared,
  requireShared,
  sharePath,
  ticketHolder,
  type SharedFile,
} from './recipient'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

/** Share links: owners manage those of their files; recipients send a password and download. */
export function shareLinkRoutes(router: Router, context: Deps): void {
  manageRoutes(router, context)
  serveUnlock(router, context.accounts, api.shareLinks.unlock, {
    pathOf: sharePath,
    lockOf: (ctx, token) =>
      findLock(token, findShared(context, token, callerOf(ctx).visitor)?.link),
  })
  downloadRoute(router, context)
  installerRoutes(router, context)
}

function manageRoutes(router: Router, context: Deps): void {
  const { store: files, policy, quota, shareLinks } = context.files
  const { audit } = context.accounts
  const { running } = context.transfers
  const requireFile = (actor: Actor, id: string) => policy.require(actor, 'share', files.find(id))

  serve(router, api.shareLinks.list, ({ actor, input }) => ({
    share_links: shareLinks
      .ofTarget(requireFile(actor, input.id).id)
      .map((link) => presentShareLink(context, link)),
  }))

  serve(router, api.shareLinks.create, async ({ actor, input, ctx }) => {
    requireFile(actor, input.id)
    const { name, password, expires_at: expiresAt, most_downloads: mostDownloads = null } = input

    const passwordHash = await hashLinkPassword(context.accounts, ctx, password ?? null)

    // The file can be deleted during the hash.
    const file = requireFile(actor, input.id)
    quota.requireSize(file.size)
    const fields = { name, passwordHash, mostDownloads, expiresAt }
    const link = await shareLinks.create(file, fields)

    audit.record(ctx, { kind: 'share_create', subject: file.filename, detail: describeLink(link) })
    return { share_link: presentShareLink(context, link) }
  })

  serve(router, api.shareLinks.update, async ({ actor, input, ctx }) => {
    shareLinks.require(requireFile(actor, input.id).id, input.shareId)
    const { name, password, expires_at: expiresAt, most_downloads: mostDownloads } = input

    const passwordHash = await hashLinkPassword(context.accounts, ctx, password)

    const file = requireFile(actor, input.id)
    const change = { name, passwordHash, mostDownloads, expiresAt }
    const link = await shareLinks.change(file.id, input.shareId, change)

    running.recheck(file.id)
    audit.record(ctx, { kind: 'share_change', subject: file.filename, detail: describeLink(link) })
    return { share_link: presentShareLink(context, link) }
  })

  serve(router, api.shareLinks.renew, async ({ actor, input, ctx }) => {
    const file = requireFile(actor, input.id)
    const link = await shareLinks.renew(file.id, input.shareId)

    running.recheck(file.id)
    audit.record(ctx, { kind: 'share_renew', subject: file.filename, detail: describeLink(link) })
    return { share_link: presentShareLink(context, link) }
  })

  serve(router, api.shareLinks.end, async ({ actor, input, ctx }) => {
    const file = requireFile(actor, input.id)
    const link = shareLinks.require(file.id, input.shareId)
    await shareLinks.end(link)

    running.recheck(file.id)
    audit.record(ctx, { kind: 'share_end', subject: file.filename, detail: describeLink(link) })
    return {}
  })
}

function downloadRoute(router: Router, context: Deps): void {
  serveRaw(router, api.shareLinks.download, async (ctx, { visitor }, params) => {
    const { shareToken } = parseInput(api.shareLinks.download.input, params)
    const shared = await requireShared(context, ctx, shareToken)
    await context.transfers.delivery.send(ctx, shared.file, countedFor(context, shared, visitor))
  })
}

/** Counts a download for its link. */
const countedFor = (
  { files: { counts }, transfers }: Rooms<'files' | 'transfers'>,
  { link, file }: SharedFile,
  visitor: string,
) => ({
  follow: async (plan: Plan) => {
    const download = await transfers.limitedDownloads.begin(link, file, visitor, plan)
    counts.accessLinkOpened(visitor, link.id)
    return download
  },
})

/** What the iOS installer fetches for the page of a link. */
function installerRoutes(router: Router, context: Deps): void {
  const { manifest, icon, app } = installSenders(context)
  const { install } = api

  const calls = [
    [install.manifestForRecipients, manifest],
    [install.iconForRecipients, icon],
    [install.appForRecipients, app],
  ] as const

  for (const [call, send] of calls) {
    serveRaw(router, call, async (ctx, { visitor }, params) => {
      const { shareToken, ...signed } = parseInput(call.input, params)
      const shared = actAsRecipient(context, ctx, shareToken)
      const { link, file } = shared

      if (signed.file_id !== file.id) throw linkEnded()
      const holder = ticketHolder(shareToken, link)
      requireTicket(context, holder, file.id, signed.ticket)

      const options = countedFor(context, shared, visitor)
      await send(ctx, { ...holder, title: file.filename, options }, file, signed)
    })
  }
}

/** The name of a link for the audit log, or without one its end. */
const describeLink = ({ name, expiresAt }: ShareLinkRecord) =>
  name === '' ? `until ${expiresAt.slice(0, 10)}` : name

function presentShareLink(context: Rooms<'files' | 'network'>, link: ShareLinkRecord): ShareLink {
  const { counts, shareLinks } = context.files
  const { id, mostDownloads, completed } = link

  return {
    share_id: id,
    ...presentLink(context, shareLinks, link, sharePath),
    most_downloads: mostDownloads,
    downloads: mostDownloads === null ? counts.ofAccessLink(id).downloads : completed,
  }
}
