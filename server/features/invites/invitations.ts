import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { Invite, Tier } from '../../contract'
import type { InviteRecord } from '../../data/records/account-records'

/** The tier and project of a new account. `project` is an id or slug. */
interface Offer {
  tier?: Tier | undefined
  email?: string | undefined
  project?: string | undefined
}

/** Creates and lists invite links, for the People page and `slipway invite`. */
export function invitations({
  accounts: { invites },
  projects: { store: projects, policy: projectPolicy },
  network: { addresses, bound },
}: Rooms<'accounts' | 'network' | 'projects'>) {
  const present = ({ id, tier, email, projectId, createdAt, expiresAt }: InviteRecord): Invite => {
    const project = projectId === null ? undefined : projects.find(projectId)
    return {
      invite_id: id,
      tier_name: tier,
      email: email ?? null,
      project: project ? { project_id: project.id, title: project.title } : null,
      created_at: createdAt,
      expires_at: expiresAt,
    }
  }

  return {
    open: (): Invite[] => invites.open().map(present),
    /** Throws `not_found` for an invisible project and `forbidden` for another owner's. */
    create: async (
      actor: Actor,
      { tier, email, project }: Offer,
    ): Promise<{ invite: Invite; url: string }> => {
      const projectRecord =
        project === undefined
          ? undefined
          : projectPolicy.require(actor, 'collaborate', projects.find(project))

      const { token, record } = await invites.create({
        tier: tier ?? null,
        email: email?.toLowerCase(),
        projectId: projectRecord?.id ?? null,
        createdBy: userIdOf(actor),
      })

      const address = addresses.best() ?? `http://127.0.0.1:${bound().port}`
      return { invite: present(record), url: `${address}/register?invite=${token}` }
    },
  }
}

/** Returns the audit entry of a new invite link. */
export const createdNote = ({ project, tier_name }: Invite) => ({
  kind: 'invite_create' as const,
  subject: project?.title,
  detail: tier_name ?? undefined,
})
