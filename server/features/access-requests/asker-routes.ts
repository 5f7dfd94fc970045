import type Router from '@koa/router'
import type { Context } from 'koa'
import { linkEnded } from '../../access/link-ended'
import { newLinkToken } from '../../access/link-token'
import type { Rooms } from '../../compose/context'
import { ACCESS_REQUESTS_PER_HOUR, api } from '../../contract'
import { accessFieldsSchema } from '../../contract/accounts/access-requests'
import { fillRoute, routes } from '../../contract/routes'
import type { ProjectRecord } from '../../data/records/project-records'
import { requireStillHeld } from '../../http/endpoint/call'
import { readBody } from '../../http/endpoint/read-json'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { goTo, isBrowser, limitStrangers, tellProblem } from '../access-links/strangers'
import { linkAddress } from '../../network/link-address'
import { hideStorage } from '../file-requests/sender'
import { findOwnRequest, noRoomForRequest, requireForm, tokenForKey } from './asker'

type Deps = Rooms<'accounts' | 'files' | 'host' | 'network' | 'projects'>

const { ask, withdraw } = api.accessRequests

/** What people without an account do: ask for access, and withdraw it. */
export function askerRoutes(router: Router, context: Deps): void {
  const limited = limitStrangers(context, ACCESS_REQUESTS_PER_HOUR, 'requests for access')
  const { audit } = context.accounts

  serveRaw(router, ask, async (ctx, _caller, params) => {
    const { id } = parseInput(ask.input.pick({ id: true }), params)
    try {
      const project = requireForm(context, id)
      const page = await limited(ctx, project.id, () => receive(context, ctx, project))

      audit.record(ctx, { kind: 'access_ask', subject: project.title })
      if (isBrowser(ctx)) return goTo(ctx, page)
      ctx.status = 201
      replyToCall(ctx, ask, { url: linkAddress(context.network, page) })
    } catch (cause) {
      tellProblem(ctx, `/p/${encodeURIComponent(id)}/access`, cause)
    }
  })

  serveRaw(router, withdraw, async (ctx, _caller, params) => {
    const { askerToken: token } = parseInput(withdraw.input, params)
    const own = findOwnRequest(context, token)
    if (!own) throw linkEnded()
    await context.projects.accessRequests.withdraw(token)

    const { isPublic, slug, title } = own.project
    audit.record(ctx, { kind: 'access_withdraw', subject: title })
    goTo(ctx, isPublic ? fillRoute(routes.publicProject, { slug }) : pathOf(token))
  })
}

/** Adds a request, once for each key. Returns the path of its page. */
async function receive(
  context: Deps,
  ctx: Context,
  { id, ownerId }: ProjectRecord,
): Promise<string> {
  // A form also sends fields that were left empty.
  const { name, email, note, key } = parseInput(accessFieldsSchema, await readBody(ctx))
  requireStillHeld(ctx)

  const token = key ? tokenForKey(key) : newLinkToken()
  const said = { name: name || undefined, email: email || undefined, note }
  const bytes = Buffer.byteLength((name ?? '') + (email ?? '') + note)
  if (!context.files.strangersRoom.fitsText(ownerId, bytes)) throw noRoomForRequest()
  await hideStorage(context.projects.accessRequests.add(id, token, said), noRoomForRequest)
  return pathOf(token)
}

const pathOf = (token: string) => `/t/${encodeURIComponent(token)}`
