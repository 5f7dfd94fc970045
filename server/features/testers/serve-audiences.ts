import type Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import { VISITOR } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { Endpoint } from '../../contract'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { userAgentOf } from '../../http/pipeline/remote'
import { pastAudience, publicAudience, type Audience } from '../releases/audience'
import type { Build } from '../stats/counts'
import { actAsTester, testerAudience, testerOrPreview } from './tester-audience'

type Identified = { id: z.ZodType<string> }
type Input<Shape extends Identified> = Omit<z.output<z.ZodObject<Shape>>, 'id'>

/**
 * A public address below `/p/:id`, and the one below `/t/:token` that does the same for testers.
 */
interface Addresses<Shape extends Identified> {
  forAll: Endpoint<z.ZodObject<Shape>>
  forTesters: Endpoint
  /** Everyone gets what visitors get, including feed readers and updaters of members. */
  asVisitor?: true
  /** It answers at the address of a preview, too. */
  hasPreviews?: true
  /** Programs ask for updates there. */
  hasUpdates?: true
  /** Whether it still answers, without releases, when the project is no longer public. */
  isLasting?: (input: Input<Shape>) => boolean
}

/**
 * Serves an address of a project to everyone and to testers. The input comes from the path and the
 * query; the handler gets it without the id or token.
 */
export function serveAudiences<Shape extends Identified>(
  router: Router,
  context: Rooms<'accounts' | 'files' | 'projects'>,
  { forAll, forTesters, asVisitor, hasPreviews, hasUpdates, isLasting }: Addresses<Shape>,
  handle: (ctx: Context, audience: Audience, input: Input<Shape>) => Promise<void> | void,
): void {
  const enter = hasPreviews ? testerOrPreview : testerAudience

  serveRaw(router, forAll, async (ctx, { actor }, params) => {
    const { id, ...rest } = parseInput<z.ZodType>(forAll.input, { ...ctx.query, ...params }) as {
      id: string
    }
    const input = rest as Input<Shape>
    const past = isLasting?.(input) ? pastAudience(context, id) : undefined
    await handle(ctx, past ?? publicAudience(context, asVisitor ? VISITOR : actor, id), input)
  })

  serveRaw(router, forTesters, async (ctx, _caller, params) => {
    const { token, ...input } = parseInput(forTesters.input, { ...ctx.query, ...params }) as {
      token: string
    }

    const audience = actAsTester(ctx, await enter(context, ctx, token))
    await handle(ctx, audience, input as Input<Shape>)
    if (hasUpdates && 'link' in audience)
      context.files.counts.updatesAsked(audience.link.id, readInstalled(userAgentOf(ctx)))
  })
}

/** The version that an app names which asks for updates: `Lantern/1.4.0 Sparkle/2.6`. */
function readInstalled(userAgent: string): Build | undefined {
  const [, version, client] = /\/(\S{1,64}) (Sparkle|WinSparkle)\//.exec(userAgent) ?? []
  if (version === undefined) return undefined
  return { version, platform: client === 'Sparkle' ? 'macOS' : 'Windows' }
}
