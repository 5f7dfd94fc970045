import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { isMailAddress } from '../../contract/fields'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { serve } from '../../http/endpoint/serve'
import { RateLimit } from '../../http/pipeline/rate-limit'

const HOUR_S = 3600
/** Links that a network asks for in an hour, and that an account gets. */
const MOST_LINKS = { network: 10, account: 3 }

/** Mails links that set a forgotten password. Nothing tells whether there is such an account. */
export function forgottenPasswordRoute(
  router: Router,
  { accounts, data, host, notices }: Rooms<'accounts' | 'data' | 'host' | 'notices'>,
): void {
  const { users, audit } = accounts
  const refusal = 'Too many links in this hour; try again later'
  const networks = new RateLimit(MOST_LINKS.network, HOUR_S, refusal)
  const perAccount = new RateLimit(MOST_LINKS.account, HOUR_S, refusal)

  /** Queues the mail, unless the account had enough of them. */
  const mailLink = async (ctx: Context, name: string) => {
    const user = users.byName(name) ?? users.byEmail(name)
    if (user?.disabledAt !== null || !isMailAddress(user.email)) return
    if (host.limits) await perAccount.take(user.id)

    const news = { kind: 'password', userId: user.id } as const
    await data.library.transact((tx) => notices.queue.add(tx, { way: 'mail', news }))

    const about = { concerns: user.id, subject: user.username, detail: 'by mail' }
    audit.record(ctx, { kind: 'password_link_create', ...about })
  }

  serve(router, api.accounts.forgotPassword, async ({ input, ctx, address }) => {
    if (!notices.mailer.isOn())
      throw new AppError('not_supported', 'This host sends no mail. Ask the person who runs it')
    if (host.limits) await networks.take(toNetwork(address))

    // After the reply, whose time must not tell whether there is such an account.
    setImmediate(() => {
      mailLink(ctx, input.username).catch((err: unknown) => {
        if (!(err instanceof AppError)) host.log.error({ err }, 'cannot mail a link for a password')
      })
    })
    return { message: 'If there is such an account, a link is on its way to its email address.' }
  })
}
