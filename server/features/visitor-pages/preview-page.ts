import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { once } from '../../http/pages/html'
import type { Visit } from '../../http/pages/static-ui'
import { secureOrigins } from '../../network/secure-origins'
import { presentBuild } from '../install/build'
import { installView } from '../install/view'
import { PreviewView } from '../previews/preview-view'
import { detectDevice } from '../releases/device'
import type { PreviewAudience } from '../testers/tester-audience'
import { renderFramed } from './frame'
import type { LightPage } from './lists'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects'>

const loadPage = once(() => import('../../../renderer/visitor/preview/preview-page'))

/** Renders the page of a preview for the visitor's device. */
export async function previewPage(
  context: Deps,
  ctx: Context,
  audience: PreviewAudience,
  { host, userAgent }: Visit,
): Promise<LightPage> {
  const { preview, project } = audience
  const { PreviewPage } = await loadPage()
  const { device } = ctx.query

  // The button offers the newest build only.
  const newest = { ...preview, builds: preview.builds.slice(0, 1) }
  const view = new PreviewView(context, project, audience.view.actor, newest)

  const install = await installView(
    context,
    { ...audience, view },
    {
      device: detectDevice(userAgent, typeof device === 'string' ? device : undefined),
      channel: audience.channel,
      version: undefined,
      host,
      secure: secureOrigins(context.network, ctx),
      atWindow: false,
    },
  )

  const builds = presentBuilds(context, audience)
  const hasFiles = builds.some(({ files }) => files.length > 0)
  const hasNothing = install.others.length === 0 && hasFiles
  const { name, title, requestUrl, expiresAt: until } = preview

  const content = await renderFramed(context.host, PreviewPage, {
    now: context.host.sources.now(),
    view: {
      ...{ name, title, requestUrl, until, builds },
      install: {
        ...install,
        // All files are below.
        others: [],
        // Files that no device installs are no reason for a notice.
        obstacle: install.build || !hasNothing ? install.obstacle : null,
        // Nothing updates itself to a preview.
        offer: install.offer && { ...install.offer, obtainium: null },
      },
    },
  })
  const pageTitle = `Preview of ${project.title}`
  return { title: pageTitle, description: `${pageTitle}: ${title || name}`, content }
}

function presentBuilds(context: Deps, audience: PreviewAudience) {
  const listed = [...audience.view.releases()]

  return audience.preview.builds.map(({ number, commit, createdAt }, index) => {
    const { release = null, files = [] } = listed[index] ?? {}
    const present = (file: (typeof files)[number]) => ({
      ...presentBuild(context, audience, { release, listed: file }),
      version: null,
    })
    return { number, commit, createdAt, files: files.map(present) }
  })
}
