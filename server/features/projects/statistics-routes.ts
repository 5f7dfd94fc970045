import type Router from '@koa/router'
import { isBoundElsewhere, userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type ProjectNews } from '../../contract'
import { DAY_MS } from '../../core/clock'
import { forbidden } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'
import type { ProjectRecord } from '../../data/records/project-records'
import { projectPolicy, resolveRole } from './policy'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers' | 'webhooks'>

/** The most versions in the news, those with the most downloads. */
const MOST_VERSIONS = 3
/** The most other events in the news. */
const MOST_EVENTS = 5
/** The most records of one list that are looked at. */
const MOST_RECENT = MOST_EVENTS * 4

type DownloadNews = Extract<ProjectNews, { kind: 'downloads' }>
type EventNews = Exclude<ProjectNews, DownloadNews>

/** The account that reads the news. */
interface Reader {
  userId: string
  isNew: (at: string | null) => at is string
}

/** Routes that serve the statistics of projects to their members. */
export function statisticsRoutes(router: Router, context: Deps): void {
  const { store: projects, testers } = context.projects
  const { counts } = context.files

  serve(router, api.projects.history, ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(input.id))
    if (resolveRole(actor, project) === null) throw forbidden('see the history of this project')

    const shares = counts.splitHistory(project.id, input.days).map((share) => {
      const name =
        share.by === 'tester' ? (testers.find(project.id, share.value)?.name ?? null) : null
      return { ...share, name }
    })

    return {
      days: counts.history(project.id, input.days),
      shares,
      from_bucket: context.transfers.handOver.hasBucket,
    }
  })

  serve(router, api.projects.news, ({ actor }) => {
    const userId = userIdOf(actor)

    const own = projects.ofMember(userId).filter(({ id }) => !isBoundElsewhere(actor, id))
    const downloads = own.flatMap((project) => countDownloads(context, project))
    const events = own.flatMap((project) => listEvents(context, project, userId))

    const news: ProjectNews[] = [
      ...downloads.sort((a, b) => b.count - a.count).slice(0, MOST_VERSIONS),
      ...events.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MOST_EVENTS),
    ]

    return { news }
  })
}

/** Counts the downloads of each version today and yesterday. */
function countDownloads({ files }: Deps, { id, title }: ProjectRecord): DownloadNews[] {
  const versions = files.counts.splitHistory(id, 2).filter(({ by }) => by === 'version')
  return versions.map(({ value, days }) => ({
    kind: 'downloads',
    project_id: id,
    title,
    version: value,
    count: days.reduce((sum, count) => sum + count, 0),
  }))
}

/** Lists what others did since yesterday, and which webhooks the host turned off. */
function listEvents(context: Deps, project: ProjectRecord, userId: string): EventNews[] {
  const yesterday = new Date(context.data.clock.now().getTime() - DAY_MS)
  const since = `${yesterday.toISOString().slice(0, 10)}T`
  const isNew = (at: string | null): at is string => at !== null && at >= since
  const reader = { userId, isNew }

  return [
    ...listBuilds(context, project, reader),
    ...listPosts(context, project, reader),
    ...listOpens(context, project, reader),
    ...listTurnedOff(context, project, reader),
  ]
}

/** Lists the builds that others added. Leaves out those of deleted accounts. */
function listBuilds(
  { accounts, files, projects }: Deps,
  { id, title }: ProjectRecord,
  { userId, isNew }: Reader,
): EventNews[] {
  const links = takeNew(projects.store.links.ofProject(id), ({ addedAt }) => isNew(addedAt))

  return links.flatMap(({ fileId, addedBy, addedAt: at }): EventNews[] => {
    const file = files.store.find(fileId)
    const account = accounts.users.find(addedBy ?? file?.ownerId ?? '')
    if (!file || !account || account.id === userId) return []

    const { username } = account
    return [{ kind: 'build', project_id: id, title, username, filename: file.filename, at }]
  })
}

/** Lists the other authors of new posts. Leaves out deleted accounts. */
function listPosts(
  { accounts, projects }: Deps,
  { id, title }: ProjectRecord,
  { userId, isNew }: Reader,
): EventNews[] {
  const posts = takeNew(projects.posts.ofProject(id), ({ createdAt }) => isNew(createdAt))
  const byAuthor = Map.groupBy(posts, ({ authorId }) => authorId)
  byAuthor.delete(userId)

  return [...byAuthor].flatMap(([authorId, [newest, ...others]]): EventNews[] => {
    const author = accounts.users.find(authorId)
    if (!newest || !author) return []

    const { username } = author
    const count = others.length + 1
    return [{ kind: 'post', project_id: id, title, username, count, at: newest.createdAt }]
  })
}

/** Lists the testers who opened the page of the project. */
function listOpens(
  { files, projects }: Deps,
  { id, title }: ProjectRecord,
  { isNew }: Reader,
): EventNews[] {
  return projects.testers.ofTarget(id).flatMap(({ id: testerId, name }): EventNews[] => {
    const at = files.counts.ofAccessLink(testerId).lastOpenedAt
    return isNew(at) ? [{ kind: 'tester', project_id: id, title, name, at }] : []
  })
}

/** Lists the webhooks that the host turned off, for the owner only. */
function listTurnedOff(
  { webhooks }: Deps,
  { id, title, ownerId }: ProjectRecord,
  { userId, isNew }: Reader,
): EventNews[] {
  if (ownerId !== userId) return []
  return webhooks.store
    .ofProject(id)
    .flatMap(({ name, offAt: at = null }): EventNews[] =>
      isNew(at) ? [{ kind: 'webhook', project_id: id, title, name, at }] : [],
    )
}

/** Returns the new records at the start of a list (newest first), at most 20. */
function takeNew<T>(newestFirst: readonly T[], isNew: (record: T) => boolean): readonly T[] {
  const recent = newestFirst.slice(0, MOST_RECENT)
  const end = recent.findIndex((record) => !isNew(record))
  return end === -1 ? recent : recent.slice(0, end)
}
