import { z } from 'zod'
import { hashOfToken } from '../../access/link-token'
import { openText } from '../../access/sealed-text'
import type { Clock } from '../../core/clock'
import { AppError } from '../../core/errors'
import { parseJson } from '../../core/json'
import {
  provedByProvider,
  type ProvedByProvider,
  type UserRecord,
} from '../../data/records/account-records'
import type { FactorStore } from '../factors/factor-store'
import type { Passkeys } from '../factors/passkeys'
import type { RelyingParty } from '../factors/relying-party'
import type { Tickets } from '../factors/tickets'
import { findStep } from '../factors/totp'
import type { SignInThrottle } from './sign-in-throttle'
import type { UserStore } from './user-store'

/** The hash of the password's hash, so that a ticket ends with it. */
const ticketProof = z.strictObject({ password: z.string(), by: provedByProvider.optional() })

interface Deps {
  clock: Pick<Clock, 'now'>
  sessionKeys: readonly string[]
  throttle: SignInThrottle
  users: UserStore
  factors: FactorStore
  tickets: Tickets
  identities: { opens(proof: ProvedByProvider | undefined, userId: string): boolean }
  passkeys: Passkeys
}

/**
 * Checks codes and passkeys. Each counts as an attempt to sign in, by the limits of passwords:
 * throws `too_many_requests`. One that is right is used up.
 */
export class FactorCheck {
  constructor(private readonly deps: Deps) {}

  /**
   * Proves the password of an account, or its provider of single sign-on, to the call that follows.
   */
  issueTicket({ id, passwordHash }: UserRecord, by?: ProvedByProvider): string {
    const proof: z.infer<typeof ticketProof> = { password: hashOfToken(passwordHash), by }
    return this.deps.tickets.issue('sign_in', id, JSON.stringify(proof))
  }

  /**
   * Returns the account of a ticket, and what a provider proved. Throws `sign_in_expired`, also
   * after a new password, a sign-out at that provider, or without the link to it.
   */
  requireTicket(sealed: string): { user: UserRecord; by: ProvedByProvider | undefined } {
    const { users, tickets, identities } = this.deps
    const ticket = tickets.open('sign_in', sealed)
    const user = users.find(ticket?.userId ?? '')
    const proof = ticketProof.safeParse(parseJson(ticket?.data ?? '')).data
    const isSame = user?.disabledAt === null && proof?.password === hashOfToken(user.passwordHash)
    if (isSame && identities.opens(proof.by, user.id)) return { user, by: proof.by }
    throw new AppError('sign_in_expired', 'Your sign-in took too long. Sign in again')
  }

  /** Returns what a code of the app or a recovery code proves; undefined if it is wrong. */
  async byCode(
    user: UserRecord,
    typed: string,
    address: string,
  ): Promise<'code' | 'recovery_code' | undefined> {
    const attempt = await this.deps.throttle.attempt(user.username, address, user.id)
    const code = typed.replaceAll(/\s/g, '')

    const isOfApp = /^\d{6}$/.test(code)
    const isRight = isOfApp
      ? await this.#useCode(user.id, code)
      : await this.deps.factors.useRecoveryCode(user.id, code)
    if (!isRight) return undefined

    await attempt.succeeded()
    return isOfApp ? 'code' : 'recovery_code'
  }

  /** Whether a code is one of a secret that a person is setting up. Returns its time step. */
  async ofNewSecret(
    user: UserRecord,
    secret: Uint8Array,
    typed: string,
    address: string,
  ): Promise<number | undefined> {
    const attempt = await this.deps.throttle.attempt(user.username, address, user.id)
    const step = findStep(secret, typed.replaceAll(/\s/g, ''), this.deps.clock.now())
    if (step !== undefined) await attempt.succeeded()
    return step
  }

  /** `user`: undefined if the passkey names none. */
  async byPasskey(
    user: UserRecord | undefined,
    party: RelyingParty,
    response: Record<string, unknown>,
    address: string,
  ): Promise<boolean> {
    const attempt = await this.deps.throttle.attempt(user?.username ?? '', address)
    const isRight = user !== undefined && (await this.deps.passkeys.use(party, user.id, response))
    if (isRight) await attempt.succeeded()
    return isRight
  }

  /** Throws `bad_credentials` if the host can no longer read the secret. */
  async #useCode(userId: string, code: string): Promise<boolean> {
    const { clock, factors, sessionKeys } = this.deps
    const { codes } = factors.find(userId)
    if (!codes) return false

    const secret = openText(sessionKeys, codes.sealedSecret)
    if (secret === undefined) {
      throw new AppError(
        'bad_credentials',
        'This host has other keys than when the codes were set up, so it cannot check them. ' +
          'Use a recovery code',
        'code',
      )
    }

    const step = findStep(Buffer.from(secret, 'base64url'), code, clock.now())
    return step !== undefined && factors.useCode(userId, step)
  }
}
