import { hashOfToken, newLinkToken } from '../../access/link-token'
import { openText, sealText } from '../../access/sealed-text'
import { DAY_MS, type Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import type { AccessLink } from '../../data/records/fields'
import { forgetAccessLink } from '../stats/counts'

/** The longest time until a link ends, in days. */
const MOST_DAYS = 365
/** The most links of one kind that an account can have. */
const MOST_OWNED = 2000

interface Deps<Link extends AccessLink> {
  library: Library
  sources: Sources
  collection: Collection<Link>
  /** They encrypt the tokens, the newest first. Without them, only `add` knows a token. */
  sessionKeys?: readonly string[]
}

/** How the links of one kind differ from others. */
interface Kind<Link> {
  /** As errors name one: 'Share link'. */
  noun: string
  /** What it opens: a file, a project, or the storage of an account. */
  targetOf: (link: Link) => string
  /** As errors name a target: 'A file'. */
  target: string
  /** The most links of a target. */
  most: number
  /** The days of a link without a chosen end. */
  usualDays: number
  /** How its owner ends one: 'End', 'Revoke'. */
  verb: string
}

interface NewLink {
  targetId: string
  ownerId: string
  expiresAt: string | undefined
  /** Default: a new one. */
  address?: LinkAddress
}

/** What a link stores of its token. */
type LinkAddress = Pick<AccessLink, 'tokenHash' | 'sealedToken'>

/** What the store gives a new link. */
type Terms = Omit<AccessLink, 'name' | 'passwordHash'>

/**
 * The links of one kind that people without an account open: tester links, previews, share links,
 * or file requests. `Field`: what an owner can change, beside the end. Links whose target is in the
 * trash stay, but open nothing.
 */
export abstract class AccessLinks<Link extends AccessLink, Field extends keyof Link> {
  readonly collection: Collection<Link>
  protected readonly library: Library
  readonly #byHash: UniqueIndex<Link>
  readonly #byTarget: Index<Link>
  readonly #owned: { get(userId: string): number }

  protected constructor(
    private readonly deps: Deps<Link>,
    private readonly kind: Kind<Link>,
  ) {
    this.library = deps.library
    this.collection = deps.collection
    this.#byHash = this.collection.uniqueIndex((link) => link.tokenHash)
    this.#byTarget = this.collection.index(kind.targetOf)
    this.#owned = this.collection.count((link) => link.ownerId)
  }

  /** Lists the links of a target, newest first, including ended ones. */
  ofTarget(id: string): Link[] {
    return [...this.#byTarget.get(id)].reverse()
  }

  find(targetId: string, id: string): Link | undefined {
    const link = this.collection.get(id)
    return link && this.kind.targetOf(link) === targetId ? link : undefined
  }

  /** Returns a link of a target. Throws `not_found`. */
  require(targetId: string, id: string): Link {
    const link = this.find(targetId, id)
    if (!link) throw notFound(this.kind.noun)
    return link
  }

  /** Finds the link with this token, unless it has expired. */
  current(token: string): Link | undefined {
    const link = this.#byHash.get(hashOfToken(token))
    return link && this.isCurrent(link) ? link : undefined
  }

  /** Whether a link has not expired. */
  isCurrent({ expiresAt }: Pick<AccessLink, 'expiresAt'>): boolean {
    return Date.parse(expiresAt) > this.#now().getTime()
  }

  /** Whether a link opens something. */
  isActive(link: Link): boolean {
    return this.isCurrent(link)
  }

  /** Whether the link of a request still has the same address and password. */
  holds(used: Link): boolean {
    const now = this.collection.get(used.id)
    return (
      now !== undefined &&
      now.tokenHash === used.tokenHash &&
      now.passwordHash === used.passwordHash &&
      this.isCurrent(now)
    )
  }

  /** Returns the token of a link, or undefined if the host cannot read it. */
  tokenOf({ sealedToken }: Pick<Link, 'sealedToken'>): string | undefined {
    if (sealedToken === undefined) return undefined
    return openText(this.deps.sessionKeys ?? [], sealedToken)
  }

  /** Changes a link. Undefined keeps a value. Throws `not_found` and `invalid_input`. */
  change(
    targetId: string,
    id: string,
    {
      expiresAt,
      ...fields
    }: Partial<Record<'expiresAt', string | undefined>> & {
      [Name in Field]?: Link[Name] | undefined
    },
  ): Promise<Link> {
    return this.#replace(targetId, id, (current) => {
      const given = Object.entries(fields).filter(([, value]) => value !== undefined)
      const end = expiresAt ?? current.expiresAt
      if (end !== current.expiresAt) requireLinkEnd(end, this.#now())
      return { ...this.counted(current), ...Object.fromEntries(given), expiresAt: end }
    })
  }

  /** Replaces the address of a link. Throws `not_found`. */
  renew(targetId: string, id: string): Promise<Link> {
    return this.#replace(targetId, id, (current) => ({
      ...this.released(current),
      ...this.addressOf(newLinkToken()),
    }))
  }

  /** Ends a link at once. Throws `not_found`. */
  end(link: Link): Promise<void> {
    return this.library.transact((tx) => this.remove(tx, link))
  }

  /** Removes a link and its counts. Throws `not_found`. */
  remove(tx: Transaction, { id }: Link): void {
    if (!this.collection.has(id)) throw notFound(this.kind.noun)
    tx.delete(this.collection, id)
    forgetAccessLink(tx, id)
  }

  /** Removes the links of a target that is deleted, or gets another owner. */
  forgetTarget(tx: Transaction, id: string): void {
    for (const link of this.ofTarget(id)) this.remove(tx, link)
  }

  /** Throws `invalid_input` and `too_many_records`. */
  protected add(fields: NewLink, toLink: (terms: Terms) => Link): Promise<Link> {
    return this.library.transact((tx) => this.addLink(tx, fields, toLink))
  }

  /** Adds a link with another change. Throws `invalid_input` and `too_many_records`. */
  protected addLink(
    tx: Transaction,
    { targetId, ownerId, expiresAt, address = this.addressOf(newLinkToken()) }: NewLink,
    toLink: (terms: Terms) => Link,
  ): Link {
    const { target, most, usualDays } = this.kind
    if (this.#byTarget.get(targetId).length >= most) throw this.#tooMany(target, most)
    if (this.#owned.get(ownerId) >= MOST_OWNED) throw this.#tooMany('An account', MOST_OWNED)

    const now = this.#now()
    if (expiresAt !== undefined) requireLinkEnd(expiresAt, now)
    const link = toLink({
      id: this.deps.sources.newId(),
      ownerId,
      ...address,
      createdAt: now.toISOString(),
      expiresAt: expiresAt ?? new Date(now.getTime() + usualDays * DAY_MS).toISOString(),
    })

    tx.put(this.collection, link.id, link)
    return link
  }

  /** A link with what only the counters have counted so far, before a change of its limits. */
  protected counted(link: Link): Link {
    return link
  }

  /** A link without what its old address has begun. */
  protected released(link: Link): Link {
    return link
  }

  protected addressOf(token: string): LinkAddress {
    const { sessionKeys } = this.deps
    return {
      tokenHash: hashOfToken(token),
      ...(sessionKeys && { sealedToken: sealText(sessionKeys, token) }),
    }
  }

  #replace(targetId: string, id: string, change: (link: Link) => Link): Promise<Link> {
    return this.library.transact((tx) => {
      const changed = change(this.require(targetId, id))
      tx.put(this.collection, id, changed)
      return changed
    })
  }

  #tooMany(target: string, most: number): AppError {
    const { noun, verb } = this.kind
    return new AppError(
      'too_many_records',
      `${target} can have ${most} ${noun.toLowerCase()}s. ${verb} those that you no longer need`,
    )
  }

  #now = (): Date => this.deps.sources.now()
}

/** Throws `invalid_input` for an end in the past, or after more than a year. */
function requireLinkEnd(expiresAt: string, now: Date): void {
  const days = (Date.parse(expiresAt) - now.getTime()) / DAY_MS
  if (days <= 0) throw new AppError('invalid_input', 'Choose an end in the future', 'expires_at')
  // Allow one more day: the last day ends at different times in different time zones.
  if (days > MOST_DAYS + 1)
    throw new AppError('invalid_input', 'Choose an end within one year', 'expires_at')
}
