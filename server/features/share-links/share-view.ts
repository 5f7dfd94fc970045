import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, platformOf } from '../../contract'
import { secureOrigins } from '../../network/secure-origins'
import { extensionOf } from '../../texts/filename'
import { damagedFile } from '../../texts/files/damaged-file'
import { factsLine } from '../../texts/files/facts-line'
import { downloadWords } from '../../texts/install-notes'
import type { ShareView } from '../../texts/share-view'
import { androidSteps, androidUnsigned } from '../install/android'
import { describeChecked } from '../install/download'
import { iosLimits, iosSteps, plainHttp } from '../install/ios'
import { iosObstacle } from '../releases/ios-obstacle'
import { signedAddress, ticketFor } from '../install/ticket'
import { detectVisitorDevice, type Device } from '../releases/device'
import { sharePath, ticketHolder, type SharedFile } from './recipient'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network'>

/** Presents the file of a share link to a device, with how it gets it. */
export async function shareView(
  context: Deps,
  ctx: Context,
  token: string,
  { link, file }: SharedFile,
): Promise<ShareView> {
  const { filename, size, sha256, ownerId } = file
  const { accounts, files } = context
  const device = detectVisitorDevice(ctx)
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

  const result = await context.files.facts.of(file)
  const offer = {
    label: downloadWords(undefined),
    address: addressOf(token),
    isDownload: true,
    limits: [],
    ...describeChecked(filename, result.facts),
    obtainium: null,
    needsTrust: false,
  }

  if (context.files.damaged.has(file.blobId)) return { offer: null, obstacle: damagedFile(owner) }

  if (device.platform === 'Android' && extension === 'apk') {
    const isUnsigned = file.facts?.isSigned === false
    return isUnsigned
      ? { offer: { ...offer, steps: null, checks: [] }, obstacle: androidUnsigned(owner) }
      : { offer: { ...offer, steps: androidSteps(device) }, obstacle: null }
  }

  if (device.platform !== 'iOS' || extension !== 'ipa') return { offer, obstacle: null }

  const secure = secureOrigins(context.network, ctx)
  const now = context.host.sources.now().toISOString()
  const obstacle =
    iosObstacle(result, device, owner, now) ??
    (secure.used === undefined ? plainHttp(secure, sharePath(token)) : undefined)
  if (obstacle || !result.facts)
    return { offer: { ...offer, steps: null, checks: [] }, obstacle: obstacle ?? null }

  const holder = ticketHolder(token, shared.link)
  const ticket = ticketFor(context, holder, file.id)
  const manifest = (secure.used ?? '') + signedAddress(holder, file.id, ticket, 'manifest.plist')

  const installed = {
    label: 'Install on this device',
    address: `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest)}`,
    isDownload: false,
    limits: iosLimits(result.facts),
    steps: iosSteps(result.facts, device, owner),
    checks: [],
    needsTrust: secure.needsTrust,
  }
  return { offer: { ...offer, ...installed }, obstacle: null }
}
