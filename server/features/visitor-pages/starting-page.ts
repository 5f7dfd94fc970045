import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import type { AskWithin } from '../../http/endpoint/ask-within'
import { Html, once, render } from '../../http/pages/html'
import { writeCommandKey } from '../../texts/host/command-key'
import { findAppPage, withProject } from './app-pages'

const loadPage = once(() => import('../../../renderer/visitor/frame/starting-page'))

/** Every page of the app asks these. */
const USUAL = [api.accounts.check.path, api.accounts.me.path, api.host.about.path]

/**
 * Writes the first view of a page of the app: header, heading, and the replies that its scripts
 * would ask for next. `startsApp` is the route, by which the build names its files.
 */
export async function startingPage(
  { accounts, host }: Rooms<'accounts' | 'host'>,
  ask: AskWithin,
  ctx: Context,
): Promise<{ content: Html; startsApp: string }> {
  const { userId } = accounts.sessions.signedIn(ctx) ?? {}
  const user = userId === undefined ? undefined : accounts.users.find(userId)
  const found = user && accounts.users.isActive(user.id) ? findAppPage(ctx.path, user) : undefined

  const asked = await Promise.all(
    [...USUAL, ...(found?.calls ?? [])].map(
      async (address) => [address, await ask(ctx, address)] as const,
    ),
  )
  const replies = asked.flatMap(([address, reply]) =>
    reply === undefined ? [] : [[address, reply] as const],
  )

  const { heading, text, tabs } = found ? withProject(found, replies) : {}
  const { StartingPage } = await loadPage()
  const page = await render(StartingPage, {
    version: host.version,
    demo: host.demo,
    username: user?.username,
    commandKey: writeCommandKey(ctx.get('user-agent')),
    heading,
    text,
    tabs: tabs?.map((tab) => ({ ...tab, isOpen: tab.path === ctx.path })),
  })

  return { content: new Html(page.text + embed(replies)), startsApp: found?.route ?? '' }
}

/** No script runs from it: a block of data. */
function embed(replies: readonly (readonly [string, string])[]): string {
  const entries = replies.map(([address, reply]) => `${JSON.stringify(address)}:${reply}`)
  const json = `{${entries.join()}}`.replaceAll('<', String.raw`\u003c`)
  return `<script type="application/json" id="replies">${json}</script>`
}
