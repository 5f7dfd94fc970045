import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { findOwnRequest } from '../access-requests/asker'
import { reportPath, requireReporter } from '../reports/reporter'
import { testerAudience } from '../testers/tester-audience'
import type { BrowserWish } from './subscriber-store'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'notices' | 'projects'>

/** What a person asks about, and the path of the page where they ask. */
export interface Asked {
  projectId: string
  target: BrowserWish['target']
  page: string
}

/** Finds what the page of a tester link is about, or of the request that it was. */
export async function askedByTester(context: Deps, ctx: Context, token: string): Promise<Asked> {
  const page = `/t/${encodeURIComponent(token)}`
  const own = findOwnRequest(context, token)
  if (own?.request.state === 'waiting')
    return { projectId: own.project.id, target: { kind: 'request', id: own.request.id }, page }

  const { link, project } = await testerAudience(context, ctx, token)
  return { projectId: project.id, target: { kind: 'tester', id: link.id }, page }
}

/** Finds the report of a private page. */
export function askedByReporter(context: Deps, ctx: Context, token: string): Asked {
  const { report, project } = requireReporter(context, ctx, token)
  return {
    projectId: project.id,
    target: { kind: 'report', id: report.id },
    page: reportPath(token),
  }
}
