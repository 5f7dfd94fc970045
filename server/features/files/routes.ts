import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { forEachId } from '../../http/endpoint/many'
import { serve } from '../../http/endpoint/serve'
import type { ResultPage } from '../../data/library/search/search'
import { readExtension } from '../../contract/files/formats'
import { presentFile } from './presenter'
import { searchPublicFiles } from './public-search'
import type { FileRecord } from '../../data/records/file-records'
import { platformChecks } from '../../texts/platform-checks'

type Deps = Rooms<'accounts' | 'deletion' | 'files' | 'projects' | 'transfers'>

export function fileRoutes(router: Router, context: Deps): void {
  const { store: files, policy, facts, quota } = context.files
  const { store: projects } = context.projects
  const { audit } = context.accounts
  const { running } = context.transfers
  const present = (file: FileRecord, actor: Actor) => presentFile(context, file, actor)

  const presentPage = ({ values, total }: ResultPage<FileRecord>, actor: Actor) => ({
    files: values.map((file) => present(file, actor)),
    total,
  })

  const collectFiles = (idOrSlug: string) => {
    const project = projects.find(idOrSlug)
    return new Set(project && projects.links.ofProject(project.id).map(({ fileId }) => fileId))
  }

  serve(router, api.files.mine, ({ actor, input }) => {
    const isPublic = input.visibility === 'all' ? undefined : input.visibility === 'public'
    const within = input.project_id === undefined ? undefined : collectFiles(input.project_id)
    const { received: isReceived, sort } = input
    const search = { text: lowerCase(input.search), isPublic, isReceived, sort, within }
    return presentPage(files.searchOwn(userIdOf(actor), search, input), actor)
  })

  serve(router, api.files.listPublic, ({ actor, input }) =>
    presentPage(searchPublicFiles(context, input.search ?? '', input), actor),
  )

  serve(router, api.files.info, ({ actor, input }) => ({
    file: present(policy.require(actor, 'read', files.find(input.id)), actor),
  }))

  const tell = async (actor: Actor, file: FileRecord) => {
    const is_package = readExtension(file.filename) !== undefined
    const known = await facts.of(file)
    const platform_checks = platformChecks(known.facts)
    return { ...known, is_package, platform_checks, can: policy.abilities(actor, file) }
  }

  serve(router, api.files.facts, async ({ actor, input }) => {
    const file = policy.require(actor, 'read', files.find(input.id))
    const isOwn = policy.abilities(actor, file).includes('update')
    const warnings = isOwn ? context.projects.foreseeWarnings(actor, file, input) : []
    return { ...(await tell(actor, file)), warnings }
  })

  serve(router, api.files.readAgain, async ({ actor, input }) => {
    const file = await facts.readAgain(policy.require(actor, 'update', files.find(input.id)))
    return tell(actor, policy.require(actor, 'update', file))
  })

  const setVisibility = async (
    ctx: Context,
    actor: Actor,
    id: string,
    isPublic: boolean,
  ): Promise<FileRecord> => {
    const file = policy.require(actor, 'publish', files.find(id))
    // Only the ZIP of an import may be larger, for its owner.
    if (isPublic && !file.isPublic) quota.requireSize(file.size)

    const changed = await files.setVisibility(file.id, isPublic)
    running.recheck(file.id)

    const now = policy.require(actor, 'publish', changed)
    const detail = now.isPublic ? 'public' : 'private'
    if (now !== file) audit.record(ctx, { kind: 'file_visibility', subject: now.filename, detail })
    return now
  }

  const remove = async (ctx: Context, actor: Actor, id: string): Promise<void> => {
    const file = policy.require(actor, 'delete', files.find(id))
    await context.deletion.deleteFile(file)

    audit.record(ctx, { kind: 'file_delete', subject: file.filename })
    running.recheck(file.id)
  }

  serve(router, api.files.setVisibility, async ({ actor, input, ctx }) => ({
    file: presentFile(context, await setVisibility(ctx, actor, input.id, input.is_public), actor),
  }))

  serve(router, api.files.setVisibilityOfMany, ({ actor, input, ctx }) =>
    forEachId(input.file_ids, (id) => setVisibility(ctx, actor, id, input.is_public)),
  )

  serve(router, api.files.remove, async ({ actor, input, ctx }) => {
    await remove(ctx, actor, input.id)
    return {}
  })

  serve(router, api.files.removeMany, ({ actor, input, ctx }) =>
    forEachId(input.file_ids, (id) => remove(ctx, actor, id)),
  )
}

const lowerCase = (search = '') => search.toLowerCase()
