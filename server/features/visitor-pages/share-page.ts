import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, platformOf, withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import { once, type Html } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { strangerOf } from '../../http/pipeline/identify'
import { isCrawler, originAsked, userAgentOf } from '../../http/pipeline/remote'
import { secureOrigins } from '../../network/secure-origins'
import { extensionOf } from '../../texts/filename'
import { factsLine } from '../../texts/files/facts-line'
import { downloadWords, installNote } from '../../texts/install-notes'
import type { InstallObstacle } from '../../texts/install-view'
import type { ShareView } from '../../texts/share-view'
import { androidSteps, androidUnsigned } from '../install/android'
import { iosLimits, iosObstacle, iosSteps, plainHttp } from '../install/ios'
import { signedAddress, ticketFor } from '../install/ticket'
import { detectDevice, type Device } from '../releases/device'
import {
  findShared,
  lockOf,
  sharePath,
  ticketHolder,
  type SharedFile,
} from '../share-links/recipient'
import { renderFramed, renderNotice } from './frame'
import { LINK_ENDED, renderPasswordPage } from './tester-page'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

const PATTERN = /^\/s\/([^/]+)\/?$/

const loadPage = once(() => import('../../../renderer/visitor/share/share-page'))

/**
 * Renders the page of a share link. Returns undefined at other addresses. A link that cannot be used
 * gets the page of a link that never existed; one with a password names nothing before it.
 */
export const sharePage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const token = PATTERN.exec(ctx.path)?.[1]
    if (token === undefined) return undefined

    const page = (status: Page['status'], title: string, content: Html): Page => {
      const head = { title: withBrand(title), description: title, url: originAsked(ctx) + ctx.path }
      return { status, head, content, isFinal: true }
    }

    const account = context.accounts.sessions.signedIn(ctx)
    const visitor = account ? `user:${account.userId}` : strangerOf(ctx)
    const shared = findShared(context, token, visitor)
    const problem = await findProblem(context, ctx, token, shared)

    if (!shared)
      return page(404, LINK_ENDED.title, await renderNotice(context.host.version, LINK_ENDED))
    if (problem !== undefined)
      return page(
        problem === 'too_many_requests' ? 429 : problem === 'busy' ? 503 : 403,
        'Password',
        await renderPasswordPage(context.host, ctx, `${sharePath(token)}/unlock`, problem),
      )

    if (ctx.method === 'GET' && !isCrawler(ctx))
      context.files.counts.testerOpened(visitor, shared.link.id)

    const { SharePage } = await loadPage()
    const view = await shareView(context, ctx, token, shared)
    const content = await renderFramed(context.host.version, SharePage, { view })
    return page(200, shared.file.filename, content)
  }

/** Returns why the password does not open the link; an empty text: it was not entered. */
async function findProblem(
  { accounts }: Deps,
  ctx: Context,
  token: string,
  shared: SharedFile | undefined,
): Promise<string | undefined> {
  try {
    const isProved = await accounts.linkPasswords.isProved(ctx, lockOf(token, shared))
    return isProved ? undefined : String(ctx.query['problem'] ?? '')
  } catch (cause) {
    if (cause instanceof AppError) return cause.code
    throw cause
  }
}

async function shareView(
  context: Deps,
  ctx: Context,
  token: string,
  { link, file }: SharedFile,
): Promise<ShareView> {
  const { filename, size, sha256, ownerId } = file
  const { accounts, files } = context
  const device = detectDevice(userAgentOf(ctx), undefined)
  const owner = accounts.users.nameOf(ownerId)
  const { facts } = files.presentPackage(file)

  return {
    owner,
    until: link.expiresAt,
    left: link.mostDownloads === null ? null : link.mostDownloads - link.completed,
    device: device.platform,
    build: {
      filename,
      version: files.versionOf(file),
      size,
      sha256,
      platform: platformOf({ filename, platform: null }) ?? null,
      facts: facts ? factsLine({ ...facts, build: null }) : '',
      address: addressOf(token),
    },
    ...(await offerFor(context, ctx, token, { link, file }, device, owner)),
  }
}

const addressOf = (token: string) =>
  api.shareLinks.download.path.replace(':shareToken', encodeURIComponent(token))

/** Offers the file to a device, by the rules of the install page. */
async function offerFor(
  context: Deps,
  ctx: Context,
  token: string,
  shared: SharedFile,
  device: Device,
  owner: string,
): Promise<Pick<ShareView, 'offer' | 'obstacle'>> {
  const { file } = shared
  const { filename } = file
  const extension = extensionOf(filename)

  const offer = {
    label: downloadWords(undefined),
    address: addressOf(token),
    isDownload: true,
    limits: [],
    steps: installNote({ filename }) ?? null,
    obtainium: null,
    needsTrust: false,
  }

  if (device.platform === 'Android' && extension === 'apk') {
    const isUnsigned = file.facts?.isSigned === false
    return isUnsigned
      ? { offer: { ...offer, steps: null }, obstacle: androidUnsigned(owner) }
      : { offer: { ...offer, steps: androidSteps(device) }, obstacle: null }
  }

  if (device.platform !== 'iOS' || extension !== 'ipa') return { offer, obstacle: null }

  const result = await context.files.facts.of(file)
  const secure = secureOrigins(context.network, ctx)
  const now = context.host.sources.now().toISOString()
  const obstacle: InstallObstacle | undefined =
    iosObstacle(result, device, owner, now) ??
    (secure.used === undefined ? plainHttp(secure, sharePath(token)) : undefined)
  if (obstacle || !result.facts)
    return { offer: { ...offer, steps: null }, obstacle: obstacle ?? null }

  const holder = ticketHolder(token, shared.link)
  const ticket = ticketFor(context, holder, file.id)
  const manifest = (secure.used ?? '') + signedAddress(holder, file.id, ticket, 'manifest.plist')

  const installed = {
    label: 'Install on this device',
    address: `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest)}`,
    isDownload: false,
    limits: iosLimits(result.facts),
    steps: iosSteps(result.facts, device, owner),
    needsTrust: secure.needsTrust,
  }
  return { offer: { ...offer, ...installed }, obstacle: null }
}
