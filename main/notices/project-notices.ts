import type { BrowserWindow, Session } from 'electron'
import { z } from 'zod'
import { hostLog, realDeps, type ProjectEvent, type RunningServer } from '../../server'
import { reportProjectChanged } from '../window/bridge'
import { openPage } from '../files/deep-link'
import { gatherNews, notify } from './notify'
import { noticeOf } from './project-words'
import { fillRoute, routes } from '../../server/contract/routes'

interface NoticeDeps {
  server: RunningServer
  window: BrowserWindow
  session: Session
  origin: string
}

interface News {
  event: ProjectEvent
  reader: string
}

/**
 * Shows system notifications for what others change in the projects of the signed-in person. Shows
 * none while signed out: names of private projects must stay private.
 */
export function showProjectNotices(deps: NoticeDeps): void {
  const { server } = deps
  const personAtWindow = askedOnce(() => fetchUserId(deps))
  const refresh = gatherNews(() => reportProjectChanged(deps.window))
  const warn = (err: unknown) => hostLog.warn({ err }, 'cannot show a project notification')

  const announce = gatherNews<News>((news) => {
    // The person may have signed out since.
    personAtWindow()
      .then((reader) =>
        show(
          news.filter((it) => it.reader === reader),
          deps,
        ),
      )
      .catch(warn)
  })

  server.onProjectChange((event) => {
    const isAsked = server.settings.get().notify_collaborators
    const isPersonal = event.kind === 'removal' || event.kind === 'owner'
    if (event.project.collaboratorIds.length === 0 && !isPersonal) return
    personAtWindow()
      .then((reader) => {
        if (reader === undefined || reader === event.userId) return
        if (!server.concerns(event, reader)) return
        refresh(undefined)
        if (isAsked && !isShown(event, deps)) announce({ event, reader })
      })
      .catch(warn)
  })
}

/** Shares one pending answer; a call after it asks again. */
function askedOnce<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined
  return () => (asking ??= ask().finally(() => (asking = undefined)))
}

const meSchema = z.object({ user: z.object({ user_id: z.string() }) })

async function fetchUserId({ session, origin }: NoticeDeps): Promise<string | undefined> {
  try {
    const response = await session.fetch(`${origin}/api/auth/me`, { credentials: 'include' })
    return response.ok ? meSchema.parse(await response.json()).user.user_id : undefined
  } catch (err) {
    realDeps.log.error({ err }, 'cannot determine who is signed in to the window')
    return undefined
  }
}

function show(news: readonly News[], deps: NoticeDeps): void {
  const current = news.flatMap(({ event, reader }) => {
    const deed = deps.server.describe(event, reader)
    return deed ? [{ event, deed }] : []
  })
  if (current.length === 0) return
  const { title, body } = noticeOf(current.map(({ deed }) => deed))
  const page = pageOf(current.map(({ event }) => event))
  notify(title, body, () => openPage(deps.window, deps.origin, page))
}

/**
 * Whether the person is looking at this project: its page shows the change, but not why access
 * ended.
 */
function isShown({ kind, project: { id, slug } }: ProjectEvent, { window }: NoticeDeps): boolean {
  if (kind === 'removal' || window.isDestroyed() || !window.isFocused()) return false
  const { pathname } = new URL(window.webContents.getURL())
  return [
    fillRoute(routes.project, { id }),
    ...[slug, id].map((it) => fillRoute(routes.publicProject, { slug: it })),
  ].some((page) => `${pathname}/`.startsWith(`${page}/`))
}

function pageOf(news: readonly ProjectEvent[]): string {
  const [id, ...others] = new Set(news.map(({ project }) => project.id))
  if (id === undefined || others.length > 0 || news.some(({ kind }) => kind === 'removal'))
    return routes.projects
  return news.every(({ kind }) => kind === 'update')
    ? fillRoute(routes.projectUpdates, { id })
    : fillRoute(routes.project, { id })
}
