import { VISITOR } from '../../access/actor'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import type { FileRecord } from '../../data/records/file-records'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { originAsked } from '../../http/pipeline/remote'
import { secureOrigins } from '../../network/secure-origins'
import { countedFor, publicAudience, type Audience } from '../releases/audience'
import { actAsTester, previewAudience, unlockedAudience } from '../testers/tester-audience'
import { manifestOf } from './manifest'
import { requireTicket, signedAddress, type TicketHolder } from './ticket'

type Deps = Rooms<'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>
type Signed = Omit<z.output<typeof api.install.app.input>, 'id'>
/** `title`: the name of an app that has none. `options`: of its delivery. */
type Place = TicketHolder & { title: string; options: Parameters<Delivery['send']>[2] }
type Send = (ctx: Context, place: Place, file: FileRecord, signed: Signed) => Promise<void>
type Delivery = Deps['transfers']['delivery']

/**
 * The install page shows everyone what visitors get, so its addresses do not depend on the session.
 */

/** Serves the files for the iOS installer at the signed addresses of the install page. */
export function installRoutes(router: Router, context: Deps): void {
  const { manifest, icon, app } = installSenders(context)
  const { install } = api

  const calls = [
    [install.manifest, install.manifestForTesters, manifest],
    [install.icon, install.iconForTesters, icon],
    [install.app, install.appForTesters, app],
  ] as const

  for (const [forAll, forTesters, send] of calls) {
    serveRaw(router, forAll, async (ctx, _caller, params) => {
      const { id, ...signed } = parseInput(forAll.input, params)
      await sendOffered(context, ctx, publicAudience(context, VISITOR, id), signed, send)
    })

    serveRaw(router, forTesters, async (ctx, _caller, params) => {
      const { token, ...signed } = parseInput(forTesters.input, params)
      const audience = actAsTester(
        ctx,
        previewAudience(context, token) ?? unlockedAudience(context, token),
      )
      await sendOffered(context, ctx, audience, signed, send)
    })
  }
}

/**
 * Sends a file by a signed address. Throws `not_found` if the audience no longer sees the file.
 */
async function sendOffered(
  context: Deps,
  ctx: Context,
  audience: Audience,
  signed: Signed,
  send: Send,
): Promise<void> {
  requireTicket(context, audience, signed.file_id, signed.ticket)

  const file = audience.view.findFile(signed.file_id)
  if (!file) throw notFound('File')

  const { project } = audience
  const options = { projectId: countedFor(audience) }
  await send(ctx, { ...audience, title: project.title, options }, file, signed)
}

/** Sends what the iOS installer fetches, after its ticket was checked. */
export function installSenders(context: Deps): Record<'manifest' | 'icon' | 'app', Send> {
  const { facts } = context.files
  const { delivery } = context.transfers

  return {
    async manifest(ctx, place, file, { ticket }) {
      const { facts: packageFacts } = await facts.of(file)
      if (packageFacts?.app_id == null) throw notFound('Bundle identifier')

      const origin = secureOrigins(context.network, ctx).used ?? originAsked(ctx)
      const at = (name: 'app.ipa' | 'icon.png') =>
        origin + signedAddress(place, file.id, ticket, name)

      ctx.type = 'text/xml; charset=utf-8'
      ctx.body = manifestOf({
        app: at('app.ipa'),
        picture: file.facts?.hasIcon ? at('icon.png') : `${origin}/social.png`,
        bundleId: packageFacts.app_id,
        version: packageFacts.version ?? packageFacts.build ?? '1',
        title: packageFacts.name ?? place.title,
      })
    },
    async icon(ctx, _place, file) {
      const icon = await facts.readIcon(file)
      if (!icon) throw notFound('Icon')
      await delivery.sendIcon(ctx, file, icon, { keeping: 'private' })
    },
    async app(ctx, { options }, file) {
      await delivery.send(ctx, file, { ...options, keeping: 'private' })
    },
  }
}
