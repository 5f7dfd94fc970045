import type { ComponentType } from 'react'
import type { Rooms } from '../../compose/context'
import { readPageQuery, type PageQuery } from '../../contract/projects/page-query'
import type { TesterRecord } from '../../data/records/project-records'
import { decodePart } from '../../core/net/percent-encoding'
import { inSlice } from '../../core/time-slices'
import type { OwnDeviceView } from '../../../renderer/visitor/tester/own-device'
import type { NotifyView } from '../../../renderer/visitor/notices/notify'
import { once, type Html } from '../../http/pages/html'
import type { Visit } from '../../http/pages/static-ui'
import { presentPreview, type Audience } from '../releases/audience'
import { detectDevice } from '../releases/device'
import { presentProjectPage, summarizeProject } from '../projects/presenter'
import { releaseIndex } from '../releases/page-view'
import { wholePage } from '../repositories/subscriptions'
import { renderFramed } from './frame'

const loadPage = once(() => import('../../../renderer/visitor/project/project-page'))
const loadReleasePage = once(() => import('../../../renderer/visitor/project/release-page'))
const loadIndex = once(() => import('../../../renderer/visitor/project/release-index'))
const loadWritten = once(() => import('../../../renderer/visitor/parts/written'))
const loadCode = once(() => import('../../../renderer/visitor/parts/page-code'))

const MOST_POSTS = 10

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects' | 'transfers'>

/** Selects a page of a project: its own, that of a release, or the list of releases. */
export interface PageAddress {
  /** Encoded, as in the address. */
  version?: string | undefined
  isList: boolean
  query: Readonly<Record<string, unknown>>
}

/** What the page shows to testers. */
interface ForTesters {
  name: string
  /** UTC ISO 8601. */
  until: string
  notify: { Form: ComponentType<{ view: NotifyView }>; view: NotifyView }
  device:
    | { OwnDevice: ComponentType<{ view: OwnDeviceView; now: Date }>; view: OwnDeviceView }
    | undefined
  /** What the host keeps of the tester, and where it is removed. */
  kept: {
    took: NonNullable<TesterRecord['took']>
    device: { model: string; at: string } | undefined
    hasOthers: boolean
    said: readonly string[]
    forget: string
  }
}

/** A page. Without `content` it does not exist. */
interface ProjectPage {
  title: string
  description: string
  /** The base path of its feeds. */
  feeds: string
  /** The preview picture of a public project. */
  picture?: ReturnType<typeof presentPreview>
  content?: (visit: Visit) => Promise<Html>
}

const RELEASE_NOT_FOUND = {
  title: 'Release Not Found',
  description: "The release you're looking for doesn't exist or is no longer available.",
}

/** Chooses a page of a project. Its content is rendered on demand. */
export function projectPage(
  context: Deps,
  audience: Audience,
  { version, isList, query }: PageAddress,
  tester?: ForTesters,
): ProjectPage {
  const { project, base } = audience
  const { title } = project
  const owner = context.accounts.users.nameOf(project.ownerId)
  const description = summarizeProject(project) || `${title} by ${owner}`

  const pageQuery = readPageQuery(query)
  const feeds = `${base}/feeds`
  const describe = (name: string, shown?: string) => ({
    ...{ title: name, description, feeds },
    picture: presentPreview(audience, shown),
  })

  if (isList)
    return {
      ...describe(`Releases of ${title}`),
      content: (visit) => listContent(context, audience, pageQuery, { ...visit, tester }),
    }

  if (version === undefined)
    return {
      ...describe(title),
      content: (visit) => projectContent(context, audience, pageQuery, { ...visit, tester }),
    }

  const named = decodePart(version)
  if (named === undefined || !audience.view.findRelease(named))
    return { ...RELEASE_NOT_FOUND, feeds }
  return {
    ...describe(`${title} ${named}`, named),
    content: (visit) => releaseContent(context, audience, named, { ...visit, tester }),
  }
}

type ProjectVisit = Visit & { tester: ForTesters | undefined }

async function projectContent(
  context: Deps,
  audience: Audience,
  { channel, since }: PageQuery,
  visit: ProjectVisit,
): Promise<Html> {
  const { ProjectPage: Page } = await loadPage()
  const { device, ...shared } = await common(context, audience, visit)
  const page = await wholePage(context, audience, {
    channel,
    since,
    device,
    address: visit.address,
  })
  const posts = newestPosts(context, audience.project.id)
  const notes = since === undefined ? page.release?.notes : page.notes
  await parseAhead([audience.project.description, notes, ...posts.map(({ content }) => content)])

  return renderFramed(context.host, Page, {
    ...shared,
    page,
    device: device.platform,
    since,
    posts,
  })
}

async function releaseContent(
  context: Deps,
  audience: Audience,
  version: string,
  visit: ProjectVisit,
): Promise<Html> {
  const { ReleasePage } = await loadReleasePage()
  const { device, ...shared } = await common(context, audience, visit)
  const page = await wholePage(context, audience, { version, device, address: visit.address })
  await parseAhead([page.release?.notes])

  return renderFramed(context.host, ReleasePage, {
    ...shared,
    page,
    device: device.platform,
  })
}

async function listContent(
  context: Deps,
  audience: Audience,
  query: PageQuery,
  visit: ProjectVisit,
): Promise<Html> {
  const { beginningOf, ReleaseIndex } = await loadIndex()
  const { device, ...shared } = await common(context, audience, visit)
  const list = releaseIndex(audience, query)
  await parseAhead(list.releases.map(({ notes }) => beginningOf(notes)))

  return renderFramed(context.host, ReleaseIndex, {
    ...shared,
    ...list,
    device: device.platform,
    page: query.page,
  })
}

/** Parses the texts of a page one by one, as hostile ones take long to parse. */
async function parseAhead(texts: readonly (string | undefined | null)[]): Promise<void> {
  const { isParsed, markdownNodes } = await loadWritten()
  for (const text of texts)
    if (text && !isParsed(text)) await inSlice(() => void markdownNodes(text))
}

async function common(
  context: Deps,
  audience: Audience,
  { host, userAgent, tester }: ProjectVisit,
) {
  const { view, base, programBase } = audience
  const [{ Written }, { PageCode }] = await Promise.all([loadWritten(), loadCode()])

  return {
    project: presentProjectPage(context, view),
    now: context.host.sources.now(),
    base,
    programBase,
    host,
    tester,
    device: detectDevice(userAgent, undefined),
    Written,
    Code: PageCode,
  }
}

/** The newest posts, which the page shows without scripts. The app loads more. */
const newestPosts = (
  { accounts: { users }, projects: { posts } }: Rooms<'accounts' | 'projects'>,
  projectId: string,
) =>
  posts
    .ofProject(projectId)
    .slice(0, MOST_POSTS)
    .map(({ authorId, ...post }) => ({ ...post, author: users.nameOf(authorId) }))
