import { DAY_MS, type Sources } from '../core/clock'
import { AppError } from '../core/errors'
import { hashOfToken, newLinkToken } from './link-token'
import { openText, sealText } from './sealed-text'

/** The longest time until a link ends, in days. */
const MOST_DAYS = 365

/** The part of a link that its address and its end need. */
interface Link {
  tokenHash: string
  sealedToken: string
  passwordHash: string | null
  expiresAt: string
}

interface Deps {
  sources: Sources
  /** They encrypt tokens, the newest first. */
  sessionKeys: readonly string[]
}

/** What share links and file requests share: an address that their owner sees, and an end. */
export class LinkTerms {
  constructor(private readonly deps: Deps) {}

  newAddress(): Pick<Link, 'tokenHash' | 'sealedToken'> {
    const token = newLinkToken()
    return { tokenHash: hashOfToken(token), sealedToken: sealText(this.deps.sessionKeys, token) }
  }

  /** Returns the token of a link, or undefined if the host has other keys now. */
  tokenOf = ({ sealedToken }: Pick<Link, 'sealedToken'>): string | undefined =>
    openText(this.deps.sessionKeys, sealedToken)

  /** Whether a link has not expired. */
  isCurrent({ expiresAt }: Pick<Link, 'expiresAt'>): boolean {
    return Date.parse(expiresAt) > this.deps.sources.now().getTime()
  }

  /** Whether a link of a request still has the same address and password. */
  holds(used: Link, now: Link | undefined): boolean {
    return (
      now !== undefined &&
      now.tokenHash === used.tokenHash &&
      now.passwordHash === used.passwordHash &&
      this.isCurrent(now)
    )
  }

  /** Returns when a new link ends: as chosen, or in `usual` days. Throws `invalid_input`. */
  chooseEnd(chosen: string | undefined, usual: number): string {
    const now = this.deps.sources.now()
    if (chosen !== undefined) requireLinkEnd(chosen, now)
    return chosen ?? new Date(now.getTime() + usual * DAY_MS).toISOString()
  }

  /** Returns the end of a changed link; undefined keeps it. Throws `invalid_input`. */
  changeEnd({ expiresAt }: Pick<Link, 'expiresAt'>, chosen = expiresAt): string {
    if (chosen !== expiresAt) requireLinkEnd(chosen, this.deps.sources.now())
    return chosen
  }
}

/** Throws `invalid_input` for an end in the past, or after more than a year. */
export function requireLinkEnd(expiresAt: string, now: Date): void {
  const days = (Date.parse(expiresAt) - now.getTime()) / DAY_MS
  if (days <= 0) throw new AppError('invalid_input', 'Choose an end in the future', 'expires_at')
  // Allow one more day: the last day ends at different times in different time zones.
  if (days > MOST_DAYS + 1)
    throw new AppError('invalid_input', 'Choose an end within one year', 'expires_at')
}

/** The same error for every token that opens nothing, so that it does not tell why. */
export const linkEnded = (): AppError =>
  new AppError(
    'not_found',
    'This link has ended or never existed, or its password is missing or wrong. ' +
      'Ask the person who sent it',
  )
