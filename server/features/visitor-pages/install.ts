import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { channel as channelName } from '../../contract/fields'
import { once } from '../../http/pages/html'
import type { Visit } from '../../http/pages/static-ui'
import { secureOrigins } from '../../network/secure-origins'
import { presentPreview, type Audience } from '../releases/audience'
import { detectDevice } from '../releases/device'
import { installView } from '../install/view'
import { renderFramed } from './frame'

const loadPage = once(() => import('../../../renderer/visitor/install/install-page'))

export interface InstallVisit extends Visit {
  /** Its query has `channel`, `version`, and the `device` that the visitor chose. */
  ctx: Context
  atWindow: boolean
  isSignedIn: boolean
}

/**
 * Writes the install page of an audience. It contains signed addresses, so no cache may keep it.
 */
export async function installPage(
  context: Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects'>,
  audience: Audience,
  { host, userAgent, ctx, atWindow, isSignedIn }: InstallVisit,
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
  })

  const description = `The newest build of ${view.title} for your device, with its steps`
  return {
    title: `Install ${view.title}`,
    description,
    picture: presentPreview(audience),
    content: await renderFramed(context.host, InstallPage, { view }, isSignedIn),
  }
}
