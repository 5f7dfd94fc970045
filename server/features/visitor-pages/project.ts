import type { Rooms } from '../../compose/context'
import { pageQuerySchema, type PageQuery } from '../../contract/projects/project-page'
import { AppError } from '../../core/errors'
import type { Html } from '../../http/pages/html'
import { once } from '../../http/pages/render'
import type { Visit } from '../../http/pages/static-ui'
import type { Entrance } from '../releases/entrance'
import { detectDevice } from '../releases/device'
import { presentPreview, presentProjectPage } from '../projects/presenter'
import { releaseFor } from '../releases/listing'
import { pageView, releaseIndex } from '../releases/page-view'
import { renderFramed } from './frame'

const loadPage = once(() => import('../../../renderer/visitor/project/project-page'))
const loadReleasePage = once(() => import('../../../renderer/visitor/project/release-page'))
const loadIndex = once(() => import('../../../renderer/visitor/project/release-index'))
const loadWritten = once(() => import('../../../renderer/visitor/parts/written'))

const FEED_LENGTH = 10

type Deps = Rooms<'accounts' | 'files' | 'host' | 'projects' | 'transfers'>

/** Which page of a project: its own, one of its releases, or the list of releases. */
export interface PageAddress {
  /** As in the address, encoded. */
  version?: string | undefined
  isList: boolean
  query: Readonly<Record<string, unknown>>
}

/** What the page tells testers: whom their link is for, and when it ends. */
interface ForTesters {
  name: string
  /** UTC ISO 8601. */
  until: string
}

/** A page; without content there is none. */
interface ProjectPage {
  title: string
  description: string
  /** The path that its feeds begin with. */
  feeds: string
  /** Of a public project, for link previews. */
  picture?: ReturnType<typeof presentPreview>
  content?: (visit: Visit) => Promise<Html>
}

const RELEASE_NOT_FOUND = {
  title: 'Release Not Found',
  description: "The release you're looking for doesn't exist or is no longer available.",
}

/** Writes a page of a project. */
export function projectPage(
  context: Deps,
  entrance: Entrance,
  { version, isList, query }: PageAddress,
  tester?: ForTesters,
): ProjectPage {
  const { project, base } = entrance
  const { title } = project
  const owner = context.accounts.users.nameOf(project.ownerId)
  const description = context.projects.store.summaryOf(project) || `${title} by ${owner}`
  const pageQuery = pageQuerySchema.parse(query)
  const feeds = `${base}/feeds`
  const picture = tester ? undefined : presentPreview(context, project, entrance.actor)
  if (isList) {
    const content = () => listContent(context, entrance, pageQuery.page)
    return { title: `Releases of ${title}`, description, feeds, picture, content }
  }
  if (version === undefined) {
    return {
      title,
      description,
      feeds,
      picture,
      content: (visit) => projectContent(context, entrance, pageQuery, { ...visit, tester }),
    }
  }
  const named = decoded(version)
  if (named === undefined || !isSeen(context, entrance, named)) return { ...RELEASE_NOT_FOUND, feeds }
  const content = (visit: Visit) => releaseContent(context, entrance, named, { ...visit, tester })
  return { title: `${title} ${named}`, description, feeds, picture, content }
}

type ProjectVisit = Visit & { tester: ForTesters | undefined }

async function projectContent(
  context: Deps,
  entrance: Entrance,
  { channel, since }: PageQuery,
  { host, userAgent, address, tester }: ProjectVisit,
): Promise<Html> {
  const [{ ProjectPage: Page }, { Written }] = await Promise.all([loadPage(), loadWritten()])
  const device = detectDevice(userAgent, undefined)
  return renderFramed(context.host.version, Page, {
    ...common(context, entrance),
    page: pageView(context, entrance, { channel, since, device, address }),
    device: device.platform,
    since,
    host,
    tester,
    posts: newestPosts(context, entrance.project.id),
    Written,
  })
}

async function releaseContent(
  context: Deps,
  entrance: Entrance,
  version: string,
  { userAgent, address, tester }: ProjectVisit,
): Promise<Html> {
  const [{ ReleasePage }, { Written }] = await Promise.all([loadReleasePage(), loadWritten()])
  const device = detectDevice(userAgent, undefined)
  const page = pageView(context, entrance, { version, device, address })
  return renderFramed(context.host.version, ReleasePage, {
    ...common(context, entrance),
    page,
    device: device.platform,
    tester,
    Written,
  })
}

async function listContent(context: Deps, entrance: Entrance, page: number): Promise<Html> {
  const { ReleaseIndex } = await loadIndex()
  const list = releaseIndex(context, entrance, page)
  return renderFramed(context.host.version, ReleaseIndex, { ...common(context, entrance), ...list, page })
}

const common = (context: Deps, { project, actor, base }: Entrance) => ({
  project: presentProjectPage(context, project, actor),
  now: context.host.sources.now(),
  base,
})

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

function isSeen(context: Deps, { project, actor }: Entrance, version: string): boolean {
  try {
    releaseFor(context, project, actor, version)
    return true
  } catch (cause) {
    if (cause instanceof AppError) return false
    throw cause
  }
}

/** The posts that the page shows without scripts; the app loads more. */
const newestPosts = ({ accounts: { users }, projects: { posts } }: Rooms<'accounts' | 'projects'>, projectId: string) =>
  posts
    .ofProject(projectId)
    .slice(0, FEED_LENGTH)
    .map(({ authorId, ...post }) => ({ ...post, author: users.nameOf(authorId) }))
