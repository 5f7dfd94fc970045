import type { Rooms } from '../../compose/context'
import type { Html } from '../../http/pages/html'
import { once } from '../../http/pages/render'
import type { Visit } from '../../http/pages/static-ui'
import { presentListedProject } from '../projects/presenter'
import { renderFramed } from './frame'

const LATEST = 6

const loadLanding = once(() => import('../../../renderer/visitor/landing/landing-page'))

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>

/** Writes the first page of the host. */
export async function landingContent(context: Deps, { host }: Visit): Promise<Html> {
  const { LandingPage } = await loadLanding()
  const latest = context.projects.store.allPublic().slice(0, LATEST)
  return renderFramed(context.host.version, LandingPage, {
    url: host.url,
    registrationOpen: context.data.settings.get().registration_open,
    session: 'out',
    now: context.host.sources.now(),
    projects: latest.map((project) => presentListedProject(context, project, { kind: 'visitor' })),
  })
}
