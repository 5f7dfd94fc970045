/** How a visitor gets a blob. */
export interface Presentation {
  filename: string
  /** The media type. */
  type: string
  /** How long the address works. */
  seconds: number
}

interface CachedAddress {
  as: Presentation
  /** Until when to give it out again, by the computer's clock. */
  until: number
  url: Promise<string>
}

/** An address takes up to a kilobyte. */
const MOST_KEPT = 5000

/** Gives an address out again for half of its life, since signing takes up to milliseconds. */
export class Addresses {
  readonly #kept = new Map<string, CachedAddress>()

  constructor(private readonly sign: (blobId: string, as: Presentation) => Promise<string>) {}

  of(blobId: string, as: Presentation): Promise<string> {
    const entry = this.#kept.get(blobId)
    if (entry && isSame(entry.as, as) && Date.now() < entry.until) return entry.url
    this.#kept.delete(blobId)
    const url = this.sign(blobId, as)
    this.#keep(blobId, { as, until: Date.now() + as.seconds * 500, url })
    url.catch(() => this.forget(blobId))
    return url
  }

  forget(blobId: string): void {
    this.#kept.delete(blobId)
  }

  #keep(blobId: string, entry: CachedAddress): void {
    this.#kept.set(blobId, entry)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}

const isSame = (one: Presentation, other: Presentation) =>
  one.filename === other.filename && one.type === other.type && one.seconds === other.seconds
