import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, RESUMABLE_UPLOADS } from '../../contract'
import { once } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { strangerOf } from '../../http/pipeline/identify'
import { isCrawler } from '../../http/pipeline/remote'
import { findOpenRequest, requestPath } from '../file-requests/sender'
import { findLock } from '../access-links/link-calls'
import { closedPage, finalPage, renderFramed, renderNotice } from './frame'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host'>

/** The page of a file request, and the confirmation of a file that a form has sent. */
const PATTERN = /^\/u\/([^/]+)(?:\/(sent))?\/?$/

const loadPage = once(() => import('../../../renderer/visitor/file-request/request-page'))

/** Renders the page of a file request. Returns undefined at other addresses. */
export const requestPage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const [, token, sent] = PATTERN.exec(ctx.path) ?? []
    if (token === undefined) return undefined
    const path = requestPath(token)

    // The same for each address: the last file of a request ends it.
    if (sent !== undefined) {
      const action = { label: 'Send another file', address: path }
      return finalPage(ctx, 200, SENT.title, await renderNotice(context.host, { ...SENT, action }))
    }

    const request = findOpenRequest(context, token)
    const closed = await closedPage(context, ctx, {
      path,
      lock: findLock(token, request),
      ownerId: request?.ownerId,
    })
    if (closed || !request) return closed

    if (ctx.method === 'GET' && !isCrawler(ctx))
      context.files.counts.accessLinkOpened(strangerOf(ctx), request.id)

    // The origin check of the form needs an origin.
    ctx.set('Referrer-Policy', 'same-origin')
    const { name, expiresAt, mostFiles, files, mostBytes, bytes, kinds = [] } = request
    const view = {
      owner: context.accounts.users.nameOf(request.ownerId),
      name,
      until: expiresAt,
      filesLeft: mostFiles - files,
      kinds,
      largest: Math.min(context.data.settings.get().largest_file, (mostBytes ?? Infinity) - bytes),
      form: api.fileRequests.send.path.replace(':requestToken', encodeURIComponent(token)),
      uploads: api.fileRequests.startUpload.path.replace(
        ':requestToken',
        encodeURIComponent(token),
      ),
      chunk: RESUMABLE_UPLOADS.chunk,
      problem: problemOf(ctx.query['problem']),
    }

    const { RequestPage } = await loadPage()
    const content = await renderFramed(context.host, RequestPage, { view })
    return { ...finalPage(ctx, 200, name, content), hasScript: true }
  }

const SENT = {
  title: 'Your file has arrived',
  text: 'The person who asked for it has it now. You can close this page.',
  isDone: true,
}

const problemOf = (code: unknown): string | null =>
  code === undefined ? null : (PROBLEMS.get(code) ?? 'The file was not sent. Try again.')

/** Messages of the form by the error code in the query. */
const PROBLEMS = new Map<unknown, string>([
  ['file_missing', 'Choose a file.'],
  [
    'invalid_input',
    'The file was not sent: enter your name, and choose a file of a right kind that is not empty.',
  ],
  ['too_large', 'The file is too large.'],
  ['quota_exceeded', 'The file does not fit: there is no room for it.'],
  ['too_many_records', 'Other files are arriving, and this link takes no more. Try again later.'],
  ['too_many_requests', 'Too many files came from your network. Try again in an hour.'],
  ['disk_full', 'The host has no room for the file.'],
])
