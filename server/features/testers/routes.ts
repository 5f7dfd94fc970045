import type Router from '@koa/router'
import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type TesterLink } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { compareVersions } from '../../core/versions'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { hashLinkPassword } from '../access-links/link-calls'
import { linkAddress } from '../../network/link-address'
import { serveUnlock } from '../access-links/serve-unlock'
import { projectPolicy } from '../projects/policy'
import { newestForTesters } from '../projects/project-view'
import { forgetRoute } from './forget-route'
import { requireTesterLink, testerOrPreview } from './tester-audience'
import { isBelow, versionsOf } from './tester-store'
import type { ProjectRecord, TesterRecord } from '../../data/records/project-records'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'network' | 'projects' | 'transfers'>

/** Tester links: members manage those of their projects; testers send the password of theirs. */
export function testerRoutes(router: Router, context: Deps): void {
  manageRoutes(router, context)
  serveUnlock(router, context.accounts, api.testers.unlock, {
    pathOf: (token) => `/t/${encodeURIComponent(token)}`,
    lockOf: (_ctx, token) => requireTesterLink(context, token).link,
    refusal: () => new AppError('bad_credentials', 'Wrong password', 'password'),
  })
  iconRoute(router, context)
  forgetRoute(router, context)
}

function manageRoutes(router: Router, context: Deps): void {
  const { testers, store: projects } = context.projects
  const { audit } = context.accounts
  const { running } = context.transfers
  const requireProject = (actor: Actor, id: string) =>
    projectPolicy.require(actor, 'testers', projects.find(id))

  serve(router, api.testers.list, ({ actor, input: { id, below } }) => {
    const project = requireProject(actor, id)
    const links = testers.ofTarget(project.id)
    const current = links.filter((link) => testers.isCurrent(link))
    return {
      testers: (below === undefined ? links : current.filter((link) => isBelow(link, below))).map(
        (tester) => presentTester(context, tester),
      ),
      by_version: countVersions(context, project, current),
    }
  })

  serve(router, api.testers.create, async ({ actor, input, ctx }) => {
    requireProject(actor, input.id)
    const { name, channel, expires_at: expiresAt, password = null } = input

    const passwordHash = await hashLinkPassword(context.accounts, ctx, password)

    // The caller can lose the project during the hash.
    const project = requireProject(actor, input.id)
    const fields = { name, channel, passwordHash, expiresAt, createdBy: userIdOf(actor) }
    const { token, tester } = await testers.create(project, fields)

    audit.record(ctx, { kind: 'tester_create', subject: name, detail: project.title })
    const url = linkAddress(context.network, `/t/${token}`)
    return { tester: presentTester(context, tester), url }
  })

  const requireTester = (actor: Actor, { id, testerId }: { id: string; testerId: string }) => {
    const project = requireProject(actor, id)
    return { project, tester: testers.require(project.id, testerId) }
  }

  serve(router, api.testers.update, async ({ actor, input, ctx }) => {
    requireTester(actor, input)
    const { name, channel, expires_at: expiresAt, password } = input
    const passwordHash = await hashLinkPassword(context.accounts, ctx, password)

    const project = requireProject(actor, input.id)
    const change = { name, channel, passwordHash, expiresAt }
    const tester = await testers.change(project.id, input.testerId, change)

    running.recheck()
    audit.record(ctx, { kind: 'tester_change', subject: tester.name, detail: project.title })
    return { tester: presentTester(context, tester) }
  })

  serve(router, api.testers.revoke, async ({ actor, input, ctx }) => {
    const { project, tester } = requireTester(actor, input)
    await testers.end(tester)

    running.recheck()
    audit.record(ctx, { kind: 'tester_revoke', subject: tester.name, detail: project.title })
    return {}
  })
}

/** Counts the links that have each version, or could have it, and those that have a lower one. */
function countVersions(context: Deps, project: ProjectRecord, links: readonly TesterRecord[]) {
  const channels = links.map(({ channel }) => channel)
  const newest = newestForTesters(context, project, channels).values()
  const had = links.flatMap(versionsOf)
  const versions = new Set([...newest, ...had].flatMap((it) => it?.version ?? []))
  return [...versions]
    .sort((a, b) => compareVersions(b, a))
    .map((version) => ({
      version,
      has: links.filter((link) => versionsOf(link).some((it) => it.version === version)).length,
      below: links.filter((link) => isBelow(link, version)).length,
    }))
}

/** Sends the icons of builds: addresses below /api are for members only. */
function iconRoute(router: Router, context: Deps): void {
  const { store: files, policy, facts } = context.files
  serveRaw(router, api.testers.icon, async (ctx, _caller, params) => {
    const { token, file_id: id } = parseInput(api.testers.icon.input, params)
    const { actor } = await testerOrPreview(context, ctx, token)
    const file = policy.require(actor, 'read', files.find(id))
    const icon = await facts.readIcon(file)
    if (!icon) throw notFound('Icon')
    await context.transfers.delivery.sendIcon(ctx, file, icon, { keeping: 'private' })
  })
}

function presentTester(
  { accounts: { users }, files: { counts }, projects }: Rooms<'accounts' | 'files' | 'projects'>,
  tester: TesterRecord,
): TesterLink {
  const { opens, downloads, lastOpenedAt, lastAskedAt } = counts.ofAccessLink(tester.id)
  const versions = versionsOf(tester)
  const times = [lastOpenedAt, lastAskedAt, versions[0]?.at].filter((at) => at != null)

  return {
    tester_id: tester.id,
    name: tester.name,
    channel: tester.channel,
    asked: tester.asked ? { ...tester.asked, email: tester.asked.email ?? null } : null,
    created_at: tester.createdAt,
    expires_at: tester.expiresAt,
    active: projects.testers.isCurrent(tester),
    has_password: tester.passwordHash !== null,
    opens,
    downloads,
    last_opened_at: lastOpenedAt,
    created_by: tester.createdBy === undefined ? null : users.nameOf(tester.createdBy),
    versions,
    devices: (tester.devices ?? []).map(({ model, at, isConfirmed: confirmed }) => ({
      model,
      at,
      confirmed,
    })),
    last_seen_at: times.sort().at(-1) ?? null,
  }
}
