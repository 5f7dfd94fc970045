import type { Rooms } from '../../../compose/context'
import type { Html } from '../../../http/pages/html'
import type { Visit } from '../../../http/pages/static-ui'
import { projectPolicy } from '../policy'
import { presentListedProject, presentProjectPage } from '../presenter'
import { frame } from './frame'
import { landingContent } from './landing'
import { projectContent } from './project'

const LATEST = 6
const FEED_LENGTH = 10

/** Writes the pages that visitors open first, as HTML that needs no script. Contains only what a visitor may see. */
export function visitorPages(context: Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>) {
  const { store: projects, posts } = context.projects
  const { users } = context.accounts
  const { sources, version } = context.host
  const landing = ({ host }: Visit): Html =>
    frame(
      version,
      landingContent({
        hostUrl: host.url,
        registrationOpen: context.data.settings.get().registrationOpen,
        now: sources.now(),
        latest: projects
          .allPublic()
          .slice(0, LATEST)
          .map((project) => presentListedProject(context, project, { kind: 'visitor' })),
      }),
    )
  const project = (slug: string) => {
    const found = projects.find(slug)
    if (!found || !projectPolicy.can({ kind: 'visitor' }, 'read', found)) return undefined
    const content = (visit: Visit) =>
      frame(
        version,
        projectContent({
          project: presentProjectPage(context, found),
          posts: posts
            .ofProject(found.id)
            .slice(0, FEED_LENGTH)
            .map(({ authorId, ...post }) => ({ ...post, author: users.nameOf(authorId) })),
          now: sources.now(),
          visit,
        }),
      )
    const description = projects.summaryOf(found) || `${found.title} by ${users.nameOf(found.ownerId)}`
    return { title: found.title, description, content }
  }
  return { landing, project }
}
