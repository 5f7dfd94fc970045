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

type DownloadNews = Extract<ProjectNews, { kind: 'downloads' }>
type EventNews = Exclude<ProjectNews, DownloadNews>

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
function listEvents(
  context: Deps,
  { id, title, ownerId }: ProjectRecord,
  userId: string,
): EventNews[] {
  const { store, posts, testers } = context.projects
  const { store: files, counts } = context.files

  const yesterday = new Date(context.data.clock.now().getTime() - DAY_MS)
  const since = `${yesterday.toISOString().slice(0, 10)}T`
  const isNew = (at: string | null): at is string => at !== null && at >= since
  const nameOf = (account: string) => context.accounts.users.find(account)?.username ?? ''
  const project = { project_id: id, title }

  const builds = takeNew(store.links.ofProject(id), ({ addedAt }) => isNew(addedAt)).flatMap(
    (link): EventNews[] => {
      const file = files.find(link.fileId)
      const addedBy = link.addedBy ?? file?.ownerId
      if (!file || !addedBy || addedBy === userId) return []

      return [
        {
          kind: 'build',
          ...project,
          username: nameOf(addedBy),
          filename: file.filename,
          at: link.addedAt,
        },
      ]
    },
  )

  const newPosts = takeNew(posts.ofProject(id), ({ createdAt }) => isNew(createdAt))
  const byAuthor = Map.groupBy(newPosts, ({ authorId }) => authorId)
  byAuthor.delete(userId)

  const written = [...byAuthor].flatMap(([authorId, [newest, ...others]]): EventNews[] => {
    if (!newest) return []
    const count = others.length + 1
    return [{ kind: 'post', ...project, username: nameOf(authorId), count, at: newest.createdAt }]
  })

  const opened = testers.ofTarget(id).flatMap(({ id: testerId, name }): EventNews[] => {
    const at = counts.ofAccessLink(testerId).lastOpenedAt
    return isNew(at) ? [{ kind: 'tester', ...project, name, at }] : []
  })

  const webhooks = ownerId === userId ? context.webhooks.store.ofProject(id) : []
  const turnedOff = webhooks.flatMap(({ name, offAt = null }): EventNews[] =>
    isNew(offAt) ? [{ kind: 'webhook', ...project, name, at: offAt }] : [],
  )

  return [...builds, ...written, ...opened, ...turnedOff]
}

/** Returns the first new records of a list (newest first), at most as many as are shown. */
function takeNew<T>(newestFirst: readonly T[], isNew: (record: T) => boolean): readonly T[] {
  const recent = newestFirst.slice(0, MOST_EVENTS * 4)
  const end = recent.findIndex((record) => !isNew(record))
  return end === -1 ? recent : recent.slice(0, end)
}
