import { randomBytes } from 'node:crypto'
import type { Rooms } from '../../compose/context'
import { registrationSchema } from '../../contract/accounts/accounts'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import type { InviteRecord, UserRecord } from '../../data/records/account-records'
import type { ProviderPerson } from './provider-person'
import { FailedSignIn, signInRepeated, type Answer } from './single-sign-on'

const MOST_TRIES = 100
const SHORTEST_NAME = 3

/**
 * Returns what creates an account for a person whom the provider proved: with an invite link, with
 * one that names their verified address, or where the host allows it. Undefined: none of these.
 *
 * An account that exists is never linked here, not even one with the same address: somebody else
 * may have registered with that address, and waits for its owner.
 */
export function accountCreator({
  accounts,
  singleSignOn: { signOn },
}: Rooms<'accounts' | 'singleSignOn'>) {
  const { users, passwords, invites, identities, usedTokens, signInThrottle } = accounts

  return async (answer: Answer, address: string): Promise<UserRecord | undefined> => {
    const { person, state, until } = answer
    const invite = findInvite(answer)
    if (!invite && !signOn.createsAccounts) return undefined

    await signInThrottle.registering(address)
    const email = requireEmail(person)
    // Its person links it while signed in: nobody knows yet that both are one.
    if (users.byEmail(email)) return undefined
    const username = findName(person)
    users.requireFree({ username, email })

    // Nobody knows the password: a link for a new one sets it.
    const password = randomBytes(24).toString('base64url')
    const passwordHash = await passwords.hash(password, toNetwork(address))

    return users.add({ username, email, passwordHash, isPasswordless: true }, (tx, id) => {
      if (!usedTokens.use(tx, state, until)) throw signInRepeated()
      identities.add(tx, id, person)
      const offered = invite && invites.acceptOne(tx, invite, id).tier
      return { tier: signOn.tierOf(person) ?? offered ?? null }
    })
  }

  /** Throws `invite_link_invalid`, and `not_linked` for an invite link of somebody else. */
  function findInvite({ invite: token, person }: Answer): InviteRecord | undefined {
    const verified = person.isEmailVerified ? person.email : undefined
    if (token === undefined)
      return verified === undefined ? undefined : invites.forAddress(verified)

    const invite = invites.require(token)
    if (invite.email === undefined || invite.email === verified?.toLowerCase()) return invite
    throw new FailedSignIn(
      'not_linked',
      'This invite link is for another email address than the one that ' +
        `${signOn.require().name} has verified for you. Ask for a new link`,
    )
  }

  function requireEmail({ email }: ProviderPerson): string {
    const { data } = registrationSchema.shape.email.safeParse(email)
    if (data !== undefined) return data
    throw new AppError(
      'sso_failed',
      `${signOn.require().name} did not provide your email address, which an account needs. ` +
        'Ask for an invite link, register with it, then link your account',
    )
  }

  /** A free name that is like the one at the provider. */
  function findName({ username, email }: ProviderPerson): string {
    const base =
      [username, email].map(toPlain).find(({ length }) => length >= SHORTEST_NAME) ?? randomName()

    const names = Array.from({ length: MOST_TRIES }, (_, index) =>
      index === 0 ? base : `${base}-${index + 1}`,
    )
    const isFree = (name: string) => !users.byName(name) && !users.deleted.byName(name)
    return names.find(isFree) ?? randomName()
  }
}

/** What usernames may contain of a name or an address; may be empty. */
const toPlain = (name = '') =>
  (name.split('@')[0] ?? '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 28)

const randomName = () => `person-${randomBytes(6).toString('hex')}`
