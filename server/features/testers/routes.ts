import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type TesterLink } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { callerOf } from '../../http/endpoint/call'
import { isForm, readBody } from '../../http/endpoint/read-json'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { projectPolicy } from '../projects/policy'
import { requireTesterLink, testerAudience } from './tester-audience'
import type { TesterRecord } from '../../data/records/project-records'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'network' | 'projects' | 'transfers'>

/** Tester links: members manage those of their projects; testers send the password of theirs. */
export function testerRoutes(router: Router, context: Deps): void {
  manageRoutes(router, context)
  unlockRoute(router, context)
  iconRoute(router, context)
}

function manageRoutes(router: Router, context: Deps): void {
  const { testers, store: projects } = context.projects
  const { audit } = context.accounts
  const { addresses, bound } = context.network
  const { running } = context.transfers
  const requireProject = (actor: Actor, id: string) =>
    projectPolicy.require(actor, 'testers', projects.find(id))

  serve(router, api.testers.list, ({ actor, input }) => ({
    testers: testers
      .ofProject(requireProject(actor, input.id).id)
      .map((tester) => presentTester(context, tester)),
  }))

  serve(router, api.testers.create, async ({ actor, input, ctx }) => {
    requireProject(actor, input.id)
    const { name, channel, expires_at: expiresAt } = input

    const passwordHash = await hashPassword(context, ctx, input.password)
    // The caller can lose the project during the hash.

    const project = requireProject(actor, input.id)
    const { token, tester } = await testers.create(project, {
      name,
      channel,
      passwordHash,
      expiresAt,
    })

    audit.record(ctx, { kind: 'tester_create', subject: name, detail: project.title })

    const base = addresses.best() ?? `http://127.0.0.1:${bound().port}`
    return { tester: presentTester(context, tester), url: `${base}/t/${token}` }
  })

  const requireTester = (actor: Actor, { id, testerId }: { id: string; testerId: string }) => {
    const project = projectPolicy.require(actor, 'testers', projects.find(id))
    const tester = testers.find(project.id, testerId)
    if (!tester) throw notFound('Tester link')
    return { project, tester }
  }

  serve(router, api.testers.update, async ({ actor, input, ctx }) => {
    requireTester(actor, input)
    const { name, channel, expires_at: expiresAt, password } = input
    const passwordHash =
      password === undefined ? undefined : await hashPassword(context, ctx, password)

    const { project, tester: before } = requireTester(actor, input)
    const tester = await testers.change(before.id, { name, channel, passwordHash, expiresAt })

    running.recheck()
    audit.record(ctx, { kind: 'tester_change', subject: tester.name, detail: project.title })
    return { tester: presentTester(context, tester) }
  })

  serve(router, api.testers.revoke, async ({ actor, input, ctx }) => {
    const { project, tester } = requireTester(actor, input)
    await context.data.library.transact((tx) => {
      testers.remove(tx, tester.id)
      context.files.counts.forgetAccessLink(tx, tester.id)
    })

    running.recheck()
    audit.record(ctx, { kind: 'tester_revoke', subject: tester.name, detail: project.title })
    return {}
  })
}

/**
 * Checks a password. A form is redirected to the page, with the problem in the query; a program
 * gets the error.
 */
function unlockRoute(router: Router, context: Deps): void {
  const { linkPasswords } = context.accounts
  serveRaw(router, api.testers.unlock, async (ctx, _caller, params) => {
    const page = `/t/${encodeURIComponent(params.token ?? '')}`
    const sent = await readBody(ctx)

    ctx.status = 302
    ctx.redirect(page)

    try {
      const { token, password } = parseInput(api.testers.unlock.input, { ...sent, ...params })
      const { link } = requireTesterLink(context, token)
      if (!(await linkPasswords.unlock(ctx, link, page, password)))
        throw new AppError('bad_credentials', 'Wrong password', 'password')
    } catch (cause) {
      if (!isForm(ctx) || !(cause instanceof AppError)) throw cause
      ctx.redirect(`${page}?problem=${cause.code}`)
    }
  })
}

/** Sends the icons of builds: addresses below /api are for members only. */
function iconRoute(router: Router, context: Deps): void {
  const { store: files, policy, facts } = context.files
  serveRaw(router, api.testers.icon, async (ctx, _caller, params) => {
    const { token, file_id: id } = parseInput(api.testers.icon.input, params)
    const { actor } = await testerAudience(context, ctx, token)
    const file = policy.require(actor, 'read', files.find(id))
    const icon = await facts.readIcon(file)
    if (!icon) throw notFound('Icon')
    await context.transfers.delivery.sendIcon(ctx, file, icon, { keeping: 'private' })
  })
}

/** Returns null without a password. Throws `busy`. */
async function hashPassword(
  { accounts: { passwords } }: Rooms<'accounts'>,
  ctx: Context,
  password: string | null | undefined,
): Promise<string | null> {
  return password ? passwords.hash(password, toNetwork(callerOf(ctx).address)) : null
}

function presentTester(
  { files: { counts }, projects }: Rooms<'files' | 'projects'>,
  tester: TesterRecord,
): TesterLink {
  const { opens, downloads, lastOpenedAt } = counts.ofAccessLink(tester.id)

  return {
    tester_id: tester.id,
    name: tester.name,
    channel: tester.channel,
    created_at: tester.createdAt,
    expires_at: tester.expiresAt,
    active: projects.testers.isActive(tester),
    has_password: tester.passwordHash !== null,
    opens,
    downloads,
    last_opened_at: lastOpenedAt,
  }
}
