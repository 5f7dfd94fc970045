import type Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { Endpoint } from '../../contract'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { publicAudience, type Audience } from '../releases/audience'
import { actAsTester, testerAudience } from './tester-audience'

/**
 * A public address below `/p/:id`, and the one below `/t/:token` that does the same for testers.
 */
interface Addresses<Shape extends { id: z.ZodType<string> }> {
  forAll: Endpoint<z.ZodObject<Shape>>
  forTesters: Endpoint
  /** Everyone gets what visitors get, as feed readers and updaters of members do. */
  asVisitor?: true
}

const VISITOR: Actor = { kind: 'visitor' }

type Input<Shape extends { id: z.ZodType<string> }> = Omit<z.output<z.ZodObject<Shape>>, 'id'>

/**
 * Serves an address of a project to everyone and to testers. The input comes from the path and the
 * query; the handler gets it without the id or token.
 */
export function serveAudiences<Shape extends { id: z.ZodType<string> }>(
  router: Router,
  context: Rooms<'accounts' | 'projects'>,
  { forAll, forTesters, asVisitor }: Addresses<Shape>,
  handle: (ctx: Context, audience: Audience, input: Input<Shape>) => Promise<void> | void,
): void {
  serveRaw(router, forAll, async (ctx, { actor }, params) => {
    const { id, ...input } = parseInput<z.ZodType>(forAll.input, { ...ctx.query, ...params }) as {
      id: string
    }
    await handle(
      ctx,
      publicAudience(context, asVisitor ? VISITOR : actor, id),
      input as Input<Shape>,
    )
  })
  serveRaw(router, forTesters, async (ctx, _caller, params) => {
    const { token, ...input } = parseInput(forTesters.input, { ...ctx.query, ...params }) as {
      token: string
    }
    const audience = actAsTester(ctx, await testerAudience(context, ctx, token))
    await handle(ctx, audience, input as Input<Shape>)
  })
}
