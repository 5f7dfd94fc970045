import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type Scope } from '../../contract'
import { AppError } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'

/** Machines get an API key of their own when a signed-in person types their code. */
export function pairingRoutes(router: Router, context: Rooms<'accounts' | 'projects'>): void {
  forMachines(router, context)
  forPeople(router, context)
}

function forMachines(
  router: Router,
  { accounts: { pairings }, projects: { store } }: Rooms<'accounts' | 'projects'>,
): void {
  serve(router, api.pairings.start, async ({ input, address }) => {
    const { pairing, secret } = await pairings.start({
      name: input.name,
      address,
      project: input.project_id ?? null,
    })

    const code = `${pairing.code.slice(0, 4)}-${pairing.code.slice(4)}`
    return {
      pairing_id: pairing.id,
      code,
      secret,
      expires_at: new Date(pairing.expires).toISOString(),
    }
  })

  serve(router, api.pairings.collect, ({ input }) => {
    const answer = pairings.collect(input.id, input.secret)
    if (typeof answer === 'string') return { status: answer, api_key: null, project: null }

    const project = store.find(answer.projectId)
    const projectSummary = project
      ? { project_id: project.id, slug: project.slug, title: project.title }
      : null
    return { status: 'approved' as const, api_key: answer.key, project: projectSummary }
  })
}

function forPeople(router: Router, { accounts, projects }: Rooms<'accounts' | 'projects'>): void {
  const { pairings, apiKeys, audit } = accounts
  const { store, policy } = projects

  serve(router, api.pairings.look, async ({ input, actor }) => {
    const { name, address, project, expires } = await pairings.find(input.code, userIdOf(actor))

    const projectRecord = project === null ? undefined : store.find(project)
    const projectId =
      projectRecord && policy.can(actor, 'link', projectRecord) ? projectRecord.id : null

    return { name, address, project_id: projectId, expires_at: new Date(expires).toISOString() }
  })

  serve(router, api.pairings.answer, async ({ input, actor, ctx }) => {
    const pairing = await pairings.find(input.code, userIdOf(actor))

    if (!input.approve) {
      pairings.deny(pairing)
      return {}
    }

    if (!input.project_id) throw new AppError('invalid_input', 'Choose a project', 'project_id')
    const project = policy.require(actor, 'link', store.find(input.project_id))
    const scopes: Scope[] = input.manage ? ['read', 'upload', 'manage'] : ['read', 'upload']

    await pairings.approve(pairing, project.id, () =>
      apiKeys.create(userIdOf(actor), pairing.name, null, { scopes, projectId: project.id }),
    )
    audit.record(ctx, { kind: 'key_create', subject: pairing.name, detail: scopes.join(', ') })
    return {}
  })
}
