import { isMailAddress } from '../../contract/fields'
import { withoutUnseen } from '../../contract'

const MAX_LABEL = 100
const MAX_GROUPS = 1000

/** A person as a verified answer of the provider describes them. */
export interface ProviderPerson {
  issuer: string
  subject: string
  /** The session at the provider. */
  sid: string | undefined
  /** For display. */
  label: string | null
  username: string | undefined
  email: string | undefined
  isEmailVerified: boolean
  groups: string[]
  /** When the provider last asked for a proof, in seconds since 1970. */
  provedAt: number | undefined
}

type Claims = Readonly<Record<string, unknown>>

/**
 * Joins the claims of an ID token, which count first, with those of UserInfo. An address is as
 * verified as its own source says; only a token, which is signed, says when and in which session.
 */
export const joinClaims = <Token extends Claims>(token: Token, info: Claims) => ({
  ...info,
  ...token,
  email_verified: (token['email'] === undefined ? info : token)['email_verified'],
  auth_time: token['auth_time'],
  sid: token['sid'],
})

/** Reads claims (OpenID Connect Core §5.1). Of their texts only `sub` is an identifier. */
export function readPerson(
  issuer: string,
  claims: Claims & { sub: string },
  groupClaim: string,
): ProviderPerson {
  const text = (name: string): string | undefined => {
    const value = claims[name]
    if (typeof value !== 'string') return undefined
    return withoutUnseen(value).trim().slice(0, MAX_LABEL) || undefined
  }

  const { sub, sid, email, email_verified: verified, auth_time: provedAt } = claims
  const address = typeof email === 'string' && isMailAddress(email) ? email : undefined
  const username = text('preferred_username') ?? text('nickname')
  const groups = groupClaim === '' ? [] : [claims[groupClaim] ?? []].flat()

  return {
    issuer,
    subject: sub,
    sid: typeof sid === 'string' ? sid : undefined,
    label: address ?? username ?? text('name') ?? null,
    username,
    email: address,
    isEmailVerified: verified === true,
    groups: groups.filter((group) => typeof group === 'string').slice(0, MAX_GROUPS),
    provedAt: typeof provedAt === 'number' ? provedAt : undefined,
  }
}
