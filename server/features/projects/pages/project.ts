import type { Rooms } from '../../../compose/context'
import { visitorPlatform } from '../../../contract/visitor/visitor-platform'
import { render } from '../../../http/pages/render'
import type { Visit } from '../../../http/pages/static-ui'
import type { Entrance } from '../entrance'
import { presentProjectPage } from '../presenter'
import { frame } from './frame'

const FEED_LENGTH = 10

/** What the page tells testers: whom their link is for, and when it ends. */
interface ForTesters {
  name: string
  /** UTC ISO 8601. */
  until: string
}

/** Writes the page of a project. */
export function projectPage(
  context: Rooms<'accounts' | 'files' | 'host' | 'projects'>,
  entrance: Entrance,
  tester?: ForTesters,
) {
  const { store: projects } = context.projects
  const { users } = context.accounts
  const { project, actor, base } = entrance
  const content = async ({ host, userAgent }: Visit) => {
    const [{ ProjectPage }, { Written }] = await Promise.all([
      import('../../../../renderer/visitor/project/project-page'),
      import('../../../../renderer/visitor/parts/written'),
    ])
    const page = await render(ProjectPage, {
      project: presentProjectPage(context, project, actor),
      device: visitorPlatform(userAgent),
      now: context.host.sources.now(),
      host,
      base,
      tester,
      posts: newestPosts(context, project.id),
      Written,
    })
    return frame(context.host.version, page)
  }
  const description = projects.summaryOf(project) || `${project.title} by ${users.nameOf(project.ownerId)}`
  return { title: project.title, description, feeds: `${base}/feeds`, content }
}

/** The posts that the page shows without scripts; the app loads more. */
const newestPosts = ({ accounts: { users }, projects: { posts } }: Rooms<'accounts' | 'projects'>, projectId: string) =>
  posts
    .ofProject(projectId)
    .slice(0, FEED_LENGTH)
    .map(({ authorId, ...post }) => ({ ...post, author: users.nameOf(authorId) }))
