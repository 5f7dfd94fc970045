import type { ParsedUrlQuery } from 'node:querystring'
import type { Rooms } from '../../compose/context'
import { channel as channelName } from '../../contract/fields'
import { once } from '../../http/pages/render'
import type { Visit } from '../../http/pages/static-ui'
import type { SecureOrigins } from '../../network/secure-origins'
import { presentPreview, type Entrance } from '../releases/entrance'
import { detectDevice } from '../releases/device'
import { installView } from '../install/view'
import { renderFramed } from './frame'

const loadPage = once(() => import('../../../renderer/visitor/install/install-page'))

export interface InstallVisit extends Visit {
  secure: SecureOrigins
  atWindow: boolean
  /** `channel`, `version`, and the `device` that the visitor chose. */
  query: ParsedUrlQuery
}

/**
 * Renders the install page of an entrance. It contains signed addresses, so caches must not store
 * it.
 */
export async function installPage(
  context: Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>,
  entrance: Entrance,
  { host, userAgent, secure, atWindow, query }: InstallVisit,
) {
  const { InstallPage } = await loadPage()

  const channel = channelName.safeParse(query['channel']).data ?? entrance.channel
  const device = detectDevice(
    userAgent,
    typeof query['device'] === 'string' ? query['device'] : undefined,
  )
  const version = typeof query['version'] === 'string' ? query['version'] : undefined

  const view = await installView(context, entrance, {
    device,
    channel,
    version,
    host,
    secure,
    atWindow,
  })

  const description = `The newest build of ${view.title} for your device, with its steps`
  return {
    title: `Install ${view.title}`,
    description,
    picture: presentPreview(context, entrance),
    content: await renderFramed(context.host.version, InstallPage, { view }),
  }
}
