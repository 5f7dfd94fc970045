import type Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import { linkEnded } from '../../access/link-ended'
import type { Rooms } from '../../compose/context'
import type { Endpoint } from '../../contract'
import { enteredPassword } from '../../contract/link-fields'
import { AppError } from '../../core/errors'
import { isForm, readBody } from '../../http/endpoint/read-json'
import { parseInput, serveRaw } from '../../http/endpoint/serve'

type Accounts = Pick<Rooms<'accounts'>['accounts'], 'linkPasswords'>

const entered = z.object({ password: enteredPassword })

interface Unlock {
  /** The path of the page of a link. */
  pathOf: (token: string) => string
  /** The link as its password sees it. */
  lockOf: (ctx: Context, token: string) => Parameters<Accounts['linkPasswords']['unlock']>[1]
  /** For a wrong password, by default the error for a link that never existed. */
  refusal?: () => AppError
}

/**
 * Checks the password of a link. A form is redirected to the page, with the problem in the query; a
 * program gets the error.
 */
export function serveUnlock(
  router: Router,
  { linkPasswords }: Accounts,
  call: Endpoint,
  { pathOf, lockOf, refusal = linkEnded }: Unlock,
): void {
  serveRaw(router, call, async (ctx, _caller, params) => {
    const token = params['token'] ?? params['shareToken'] ?? params['requestToken'] ?? ''
    const page = pathOf(token)
    const sent = await readBody(ctx)

    ctx.status = 302
    ctx.redirect(page)

    try {
      parseInput(call.input, { ...sent, ...params })
      const { password } = parseInput(entered, sent)
      if (!(await linkPasswords.unlock(ctx, lockOf(ctx, token), page, password))) throw refusal()
    } catch (cause) {
      if (!isForm(ctx) || !(cause instanceof AppError)) throw cause
      ctx.redirect(`${page}?problem=${cause.code}`)
    }
  })
}
