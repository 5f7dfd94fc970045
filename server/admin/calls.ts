import { z } from 'zod'
import type { Actor } from '../access/actor'
import type { AppContext, Rooms } from '../compose/context'
import { tiers } from '../contract'
import { idOrSlug, mailAddress } from '../contract/fields'
import { AppError } from '../core/errors'
import { createdNote, invitations } from '../features/invites/invitations'
import { switchOffBucket } from '../features/bucket/switch-off'
import { managePeople, type Note } from '../features/people/people'
import { localUrl } from '../http/listen/listener'
import { isOneOf } from '../http/pipeline/remote'
import { parseInput } from '../http/endpoint/serve'

/** A command that runs inside the host. */
interface AdminCall<Input, Reply extends object> {
  /** Validates the JSON input and runs the command. The reply is sent as JSON. Throws AppError. */
  handle(sent: unknown, context: AppContext): Promise<Reply>
  /** Type only: the input of the command. */
  sends?: Input
}

const call = <In extends z.ZodObject, Reply extends object>(
  input: In,
  run: (input: z.output<In>, context: AppContext) => Reply | Promise<Reply>,
): AdminCall<z.input<In>, Reply> => ({
  handle: async (sent, context) => run(parseInput(input, sent), context),
})

const name = z.string().trim().min(1).max(254)

/** The commands of the running host. To add a command, add a row. */
export const adminCalls = {
  'manage.link': call(z.strictObject({}), (_, context) => {
    const { users, manageLinks, audit } = context.accounts
    if (!users.hasHost) {
      throw new AppError(
        'not_found',
        'There is no host account yet. Create it with the link that the host printed.',
      )
    }
    const base = manageBase(context)
    audit.recordCommand({ kind: 'manage_link' })
    return { url: `${base}/manage?link=${manageLinks.make()}` }
  }),

  'internet.check': call(
    z.strictObject({ ask_outside: z.boolean() }),
    async (input, { network: { internet } }) => {
      await internet.check(input.ask_outside)
      return { internet: internet.view() }
    },
  ),

  'mirror.show': call(z.strictObject({}), (_, { bucket: { publicCopies } }) => ({
    mirror: publicCopies.view(),
  })),

  'mirror.verify': call(
    z.strictObject({ read_data: z.boolean() }),
    async (input, { bucket: { publicCopies } }) => {
      await publicCopies.verify(input.read_data)
      return { mirror: publicCopies.view() }
    },
  ),

  'mirror.remove': call(
    z.strictObject({ copies: z.enum(['delete', 'keep']) }),
    async (input, context) => {
      await switchOffBucket(context, input.copies, noteOf(context))
      return { mirror: context.bucket.publicCopies.view() }
    },
  ),

  'people.list': call(z.strictObject({}), (_, context) => ({
    people: managePeople(context).list(),
    deleted: managePeople(context).deleted(),
  })),

  'people.change': call(
    z.strictObject({ name, tier: z.enum(tiers).optional(), disabled: z.boolean().optional() }),
    async (input, context) => {
      const { id } = requireAccount(context, input.name)
      const { tier, disabled } = input
      return { person: await managePeople(context).change(id, { tier, disabled }, noteOf(context)) }
    },
  ),

  'people.password': call(z.strictObject({ name }), (input, context) =>
    managePeople(context).resetPassword(requireAccount(context, input.name).id, noteOf(context)),
  ),

  'people.passwordLink': call(z.strictObject({ name }), (input, context) => {
    const { id } = requireAccount(context, input.name)
    return managePeople(context).createPasswordLink(id, noteOf(context))
  }),

  'people.removeFactors': call(z.strictObject({ name }), async (input, context) => {
    const { id } = requireAccount(context, input.name)
    return { person: await managePeople(context).removeFactors(id, noteOf(context)) }
  }),

  'people.restore': call(z.strictObject({ name }), async (input, context) => ({
    person: await managePeople(context).restore(
      requireDeleted(context, input.name).id,
      noteOf(context),
    ),
  })),

  'people.erase': call(z.strictObject({ name }), async (input, context) => {
    const { id, user } = requireDeleted(context, input.name)
    await managePeople(context).erase(id, noteOf(context))
    return { username: user.username }
  }),

  invite: call(
    z.strictObject({
      tier: z.enum(tiers).optional(),
      project: idOrSlug.optional(),
      email: mailAddress.optional(),
    }),
    async (input, context) => {
      const { invite, url } = await invitations(context).create(hostAccount(context), input)
      noteOf(context)(createdNote(invite))
      return { url }
    },
  ),
}

export type AdminCalls = typeof adminCalls
export type AdminCallName = keyof AdminCalls

/**
 * The base URL for a manage link on this computer. If a proxy on loopback is trusted, a loopback
 * request does not identify its client, so only the proxy's HTTPS address works.
 */
function manageBase({ network: { bound, trustedProxies, publicUrl } }: Rooms<'network'>): string {
  const local = localUrl(bound())
  if (!isOneOf(trustedProxies)(new URL(local).hostname.replace(/^\[|\]$/g, ''))) return local
  const outside = publicUrl()
  if (outside?.startsWith('https:')) return outside.replace(/\/+$/, '')
  throw new AppError(
    'forbidden',
    'This host trusts a proxy on this computer, so a link must go through it. Set the public ' +
      'URL to the https address of that proxy.',
  )
}

function requireAccount({ accounts: { users } }: Rooms<'accounts'>, nameOrEmail: string) {
  const user = users.byName(nameOrEmail) ?? users.byEmail(nameOrEmail)
  if (!user) throw new AppError('not_found', `There is no account called ${nameOrEmail}`)
  return user
}

function requireDeleted({ accounts: { users } }: Rooms<'accounts'>, nameOrEmail: string) {
  const account = users.deleted.byName(nameOrEmail) ?? users.deleted.byEmail(nameOrEmail)
  if (!account) throw new AppError('not_found', `There is no deleted account called ${nameOrEmail}`)
  return account
}

function hostAccount({ accounts: { users } }: Rooms<'accounts'>): Actor {
  const host = users.all().find(({ isHost }) => isHost)
  if (!host)
    throw new AppError(
      'not_found',
      'Create the host account first, with the link that the host printed',
    )
  return { kind: 'host', userId: host.id, credential: 'session' }
}

const noteOf =
  ({ accounts: { audit } }: Rooms<'accounts'>): Note =>
  (happening) =>
    audit.recordCommand(happening)
