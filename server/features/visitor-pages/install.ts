import type { Context } from 'koa'
import type { OwnDeviceView } from '../../../renderer/visitor/tester/own-device'
import type { Rooms } from '../../compose/context'
import { channel as channelName } from '../../contract/fields'
import { once } from '../../http/pages/html'
import type { Visit } from '../../http/pages/static-ui'
import { secureOrigins } from '../../network/secure-origins'
import { presentPreview, type Audience } from '../releases/audience'
import { detectDevice, detectVisitorDevice, isIphone } from '../releases/device'
import { findOwnDevice } from '../testers/own-device'
import type { TesterAudience } from '../testers/tester-audience'
import type { OfferRequest } from '../install/offer'
import { installView } from '../install/view'
import { renderFramed } from './frame'

const loadOwnDevice = once(() => import('../../../renderer/visitor/tester/own-device'))
const loadPage = once(() => import('../../../renderer/visitor/install/install-page'))

export interface InstallVisit extends Visit {
  /** Its query has `channel`, `version`, and the `device` that the visitor chose. */
  ctx: Context
  atWindow: boolean
  /** Of a tester link. */
  phone?: Pick<OfferRequest, 'udid' | 'registration'> | undefined
  isSignedIn: boolean
}

/**
 * Writes the install page of an audience. It contains signed addresses, so no cache may keep it.
 */
export async function installPage(
  context: Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects'>,
  audience: Audience,
  { host, userAgent, ctx, atWindow, isSignedIn, phone }: InstallVisit,
) {
  const { query } = ctx
  const { InstallPage } = await loadPage()
  const channel = channelName.safeParse(query['channel']).data ?? audience.channel
  const device = detectDevice(
    userAgent,
    typeof query['device'] === 'string' ? query['device'] : undefined,
  )
  const version = typeof query['version'] === 'string' ? query['version'] : undefined
  const view = await installView(context, audience, {
    device,
    channel,
    version,
    host,
    secure: secureOrigins(context.network, ctx),
    atWindow,
    ...phone,
  })

  const description = `The newest build of ${view.title} for your device, with its steps`
  return {
    title: `Install ${view.title}`,
    description,
    picture: presentPreview(audience),
    content: await renderFramed(context.host, InstallPage, { view }, isSignedIn),
  }
}

/**
 * What the page of a tester link says to iPhones and iPads: how to send the identifier, or that it
 * was sent. Undefined on other devices, and where no build is for them.
 */
export async function presentDevice(
  context: Rooms<'accounts' | 'network'>,
  ctx: Context,
  audience: TesterAudience,
) {
  const { platform, userAgent } = detectVisitorDevice(ctx)
  const own = findOwnDevice(ctx, audience)
  const { files } = audience.view
  const isMeant = files.length === 0 || files.some(({ file }) => file.facts?.kind === 'ipa')
  if (!own && (platform !== 'iOS' || !isMeant)) return undefined

  const { used, offered } = secureOrigins(context.network, ctx)
  const view: OwnDeviceView = {
    name: isIphone({ userAgent }) ? 'iPhone' : 'iPad',
    owner: context.accounts.users.nameOf(audience.project.ownerId),
    sentAt: own?.at ?? null,
    profile: used === undefined ? null : `${audience.base}/device.mobileconfig`,
    secure: offered === undefined ? null : offered + audience.base,
  }
  const { OwnDevice } = await loadOwnDevice()
  return { OwnDevice, view }
}
