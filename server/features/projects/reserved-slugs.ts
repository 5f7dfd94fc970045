import { sha256Of } from '../../core/sha256'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { ReservedSlug } from '../../data/records/project-records'

/** The most reserved slugs of an account. The oldest are released first. */
const MAX_PER_OWNER = 1000
/** The newest reservations that know what their project had. This limits memory. */
const MAX_WITH_PAST = 50

/**
 * The slugs of deleted projects, reserved for their owners
 * (docs/decisions/0031-reserve-slugs-of-deleted-projects.md).
 */
export class ReservedSlugs {
  readonly #slugs: Collection<ReservedSlug>
  readonly #byOwner: Index<ReservedSlug>

  constructor(
    library: Library,
    private readonly maxPerOwner = MAX_PER_OWNER,
  ) {
    this.#slugs = library.collection('reservedSlugs')
    this.#byOwner = this.#slugs.index((reserved) => reserved.ownerId)
  }

  isReservedFrom(userId: string, slug: string): boolean {
    const reserved = this.#slugs.get(slug) ?? this.#slugs.get(hashOf(slug))
    return reserved !== undefined && reserved.ownerId !== userId
  }

  find(slug: string): ReservedSlug | undefined {
    return this.#slugs.get(slug)
  }

  /** Reserves a slug in the transaction that deletes its project. */
  reserve(tx: Transaction, reserved: ReservedSlug): void {
    const others = this.#byOwner.get(reserved.ownerId).filter(({ slug }) => slug !== reserved.slug)
    const surplus = Math.max(0, others.length + 1 - this.maxPerOwner)
    for (const { slug } of others.slice(0, surplus)) tx.delete(this.#slugs, slug)
    for (const { slug, ownerId, reservedAt, projectId } of others.slice(surplus, -MAX_WITH_PAST))
      if (projectId !== undefined) tx.put(this.#slugs, slug, { slug, ownerId, reservedAt })

    tx.put(this.#slugs, reserved.slug, reserved)
  }

  /**
   * Replaces the slugs of a removed account by their hashes: nobody else gets an address that
   * programs trust, and no name stays.
   */
  hash(tx: Transaction, ownerId: string): void {
    for (const { slug, isHashed, reservedAt } of this.#byOwner.get(ownerId)) {
      if (isHashed) continue
      const hashed = hashOf(slug)
      tx.delete(this.#slugs, slug)
      tx.put(this.#slugs, hashed, { slug: hashed, ownerId, reservedAt, isHashed: true })
    }
  }

  /** Releases a slug in the transaction that gives it to a project of its owner. */
  release(tx: Transaction, slug: string): void {
    if (this.#slugs.has(slug)) tx.delete(this.#slugs, slug)
  }
}

const hashOf = (slug: string): string => sha256Of(slug, 'hex')
