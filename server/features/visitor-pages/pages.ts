import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import type { Html } from '../../http/pages/html'
import type { Visit } from '../../http/pages/static-ui'
import { projectPolicy } from '../projects/policy'
import { presentListedProject } from '../projects/presenter'
import { busyPage } from './busy-page'
import { renderFramed } from './frame'
import { installPage, type InstallVisit } from './install'
import { projectPage, type PageAddress } from './project'
import { testerPage } from './tester-page'
import { enterProject } from '../releases/entrance'

const LATEST = 6

export type VisitorPages = ReturnType<typeof visitorPages>

/** Writes the pages that visitors open first, as HTML that needs no script. Contains only what a visitor may see. */
export function visitorPages(
  context: Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>,
) {
  const { store: projects } = context.projects
  const actor = { kind: 'visitor' } as const
  const landing = async ({ host }: Visit): Promise<Html> => {
    const { LandingPage } = await import('../../../renderer/visitor/landing/landing-page')
    const latest = projects.allPublic().slice(0, LATEST)
    return renderFramed(context.host.version, LandingPage, {
      url: host.url,
      registrationOpen: context.data.settings.get().registration_open,
      session: 'out',
      now: context.host.sources.now(),
      projects: latest.map((project) => presentListedProject(context, project, actor)),
    })
  }
  const entranceOf = (slug: string) => {
    const project = projects.find(slug)
    return project && projectPolicy.can(actor, 'read', project) ? enterProject(actor, project) : undefined
  }
  const project = (slug: string, address: PageAddress) => {
    const entrance = entranceOf(slug)
    return entrance && projectPage(context, entrance, address)
  }
  const install = async (slug: string, visit: InstallVisit) => {
    const entrance = entranceOf(slug)
    return entrance && installPage(context, entrance, visit)
  }
  const busy = busyPage(context)
  const tester = testerPage(context)
  const busyOrTester = async (ctx: Context) => (await busy(ctx)) ?? tester(ctx)
  return { landing, project, install, busyOrTester }
}
