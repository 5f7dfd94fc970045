import type { Rooms } from '../../compose/context'
import type { PostRecord, ReleaseRecord } from '../../data/records/project-records'
import { contentType } from '../../http/send/send-file'
import { summarizeProject } from '../projects/presenter'
import { buildReleasePath, type Audience } from '../releases/audience'
import type { ListedRelease } from '../projects/project-view'
import { readHtml, readText } from '../releases/written-notes'

/** The most entries of a feed. */
const MOST_ENTRIES = 50
/** The most files that an entry names, and the most characters of a post in its title. */
const MOST_FILES = 50
const TITLE_LENGTH = 80

interface EntryFile {
  url: string
  filename: string
  size: number
  type: string
}

/** A release or a post, for feed readers. */
export interface Entry {
  /** Stays when the address or the title changes. */
  id: string
  url: string
  title: string
  /** Sanitized HTML. */
  html: string
  author: string
  /** UTC ISO 8601. */
  publishedAt: string
  updatedAt: string
  files: EntryFile[]
}

/** A project as a feed reader shows it. */
export interface NewsFeed {
  id: string
  title: string
  summary: string
  author: string
  pageUrl: string
  url: string
  updatedAt: string
  /** Newest first. */
  entries: Entry[]
}

type Deps = Rooms<'accounts' | 'files' | 'projects'>

/**
 * Builds the feed of the newest releases and posts that an audience sees. `origin` begins all
 * links; `name` is the name of the feed.
 */
export async function buildNewsFeed(
  context: Deps,
  audience: Audience,
  origin: string,
  name: string,
): Promise<NewsFeed> {
  const { project, base } = audience

  const author = context.accounts.users.nameOf(project.ownerId)
  const page = origin + base
  const news = [
    ...context.projects.posts
      .ofProject(project.id)
      .slice(0, MOST_ENTRIES)
      .map((post) => postEntry(context, page, post)),
    ...releaseEntries(context, audience, (listed) =>
      releaseEntry(audience, origin, author, listed),
    ),
  ]

  const entries: Entry[] = []
  for (const { entry } of news.sort((a, b) => b.at - a.at)) {
    const next = await entry()
    if (!next) continue
    entries.push(next)
    if (entries.length === MOST_ENTRIES) break
  }

  return {
    id: `urn:slipway:project:${project.id}`,
    title: project.title,
    summary: summarizeProject(project),
    author,
    pageUrl: page,
    url: `${page}/feeds/${name}`,
    updatedAt: entries.reduce(
      (newest, { updatedAt }) => (updatedAt > newest ? updatedAt : newest),
      project.createdAt,
    ),
    entries,
  }
}

/**
 * A candidate for an entry, with its time in ms since 1970. Only the newest candidates are read.
 */
interface News {
  at: number
  entry: () => Promise<Entry | undefined>
}

function releaseEntries(
  context: Deps,
  { project, view }: Audience,
  describe: (listed: ListedRelease) => Promise<Entry>,
): News[] {
  const published = context.projects.store.releases
    .ofProject(project.id)
    .filter(({ state }) => state === 'published')

  return published.map((release) => ({
    at: Date.parse(dateOf(release)),
    entry: async () => {
      const listed = view.show(release)
      return listed && describe(listed)
    },
  }))
}

/** Returns when a release reached its channel: a promotion is news, too. */
function dateOf({ promotedAt = '', publishedAt, createdAt }: ReleaseRecord): string {
  const shownAt = publishedAt ?? createdAt
  // A draft can change its channel long before it is published.
  return promotedAt > shownAt ? promotedAt : shownAt
}

async function releaseEntry(
  audience: Audience,
  origin: string,
  author: string,
  listed: ListedRelease,
): Promise<Entry> {
  const { release, files } = listed
  const channel = release.channel === 'stable' ? '' : ` (${release.channel})`

  return {
    id: `urn:slipway:release:${release.id}`,
    url: origin + buildReleasePath(audience, release),
    title: `${audience.project.title} ${release.version}${channel}`,
    html: await readHtml(release, release.notes),
    author,
    publishedAt: dateOf(release),
    updatedAt: release.updatedAt ?? dateOf(release),
    files: files.slice(0, MOST_FILES).map(({ file: { filename, size } }) => ({
      url: origin + buildReleasePath(audience, release, { filename }),
      filename,
      size,
      type: contentType(filename),
    })),
  }
}

function postEntry({ accounts }: Deps, url: string, post: PostRecord): News {
  const { id, authorId, content, createdAt, updatedAt } = post
  const entry = async (): Promise<Entry> => ({
    id: `urn:slipway:post:${id}`,
    url,
    title: await readText(post, content, TITLE_LENGTH),
    html: await readHtml(post, content),
    author: accounts.users.nameOf(authorId),
    publishedAt: createdAt,
    updatedAt,
    files: [],
  })

  return { at: Date.parse(createdAt), entry }
}
