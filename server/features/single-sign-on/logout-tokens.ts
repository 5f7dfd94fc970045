import { z } from 'zod'
import { AppError } from '../../core/errors'
import type { Library } from '../../data/library/library'
import type { IssuerKeys } from '../../network/issuer-keys'
import type { SessionStore } from '../accounts/session-store'
import type { IdentityStore } from './identity-store'
import type { UsedTokens } from './used-tokens'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Types of the header, in any case (RFC 7515 §4.1.9). `jwt` says no more than none at all. */
const TYPES = ['logout+jwt', 'application/logout+jwt', 'jwt']

const headerSchema = z.looseObject({
  typ: z
    .string()
    .refine((typ) => TYPES.includes(typ.toLowerCase()))
    .optional(),
})

const claimsSchema = z
  .looseObject({
    iss: z.string(),
    /** A time that dates can have. */
    exp: z.number().max(8e12),
    jti: z.string().min(1),
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [EVENT]: z.object({}) }),
    /** One with a nonce is an ID token. */
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

interface Deps {
  keys: Pick<IssuerKeys, 'isSigned'>
  library: Pick<Library, 'transact'>
  sessionStore: SessionStore
  identities: IdentityStore
  usedTokens: UsedTokens
}

/**
 * Ends sessions whose person signed out at the provider (OpenID Connect Back-Channel Logout 1.0),
 * and sign-ins that still need a second factor.
 */
export class LogoutTokens {
  constructor(private readonly deps: Deps) {}

  /**
   * Verifies a logout token (§2.6), uses it up and ends its sessions. Returns whose. Throws
   * `invalid_input`, and `busy` if the keys of the provider cannot be read.
   */
  async use(token: string, { issuer, id }: { issuer: string; id: string }): Promise<string[]> {
    const claims = await decode(token)
    const isSigned = claims?.iss === issuer && (await this.deps.keys.isSigned(token, issuer, [id]))
    if (!claims || !isSigned) throw invalid()

    const { library, sessionStore, identities, usedTokens } = this.deps
    const { sub, sid, jti, exp } = claims
    const until = new Date((exp + 60) * 1000)
    // One transaction: a token that is used up without its sessions could not be sent again.
    return library.transact((tx) => {
      if (!usedTokens.use(tx, JSON.stringify(['logout', issuer, jti]), until)) throw invalid()
      identities.noteLogout(tx, { issuer, subject: sub, sid })
      return sessionStore.dropOfProvider(
        tx,
        (provider) =>
          provider.issuer === issuer &&
          (sub === undefined || provider.subject === sub) &&
          (sid === undefined || provider.sid === sid),
      )
    })
  }
}

async function decode(token: string): Promise<z.infer<typeof claimsSchema> | undefined> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose')
  try {
    headerSchema.parse(decodeProtectedHeader(token))
    return claimsSchema.parse(decodeJwt(token))
  } catch {
    return undefined
  }
}

const invalid = () =>
  new AppError('invalid_input', 'This logout token is not valid here', 'logout_token')
