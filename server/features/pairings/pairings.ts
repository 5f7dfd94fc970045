import { randomInt } from 'node:crypto'
import { hashOfToken, newLinkToken } from '../../access/link-token'
import { AppError, notFound } from '../../core/errors'
import type { Sources } from '../../core/clock'
import { toNetwork } from '../../core/net/ip-address'
import { RateLimit } from '../../http/pipeline/rate-limit'

/** Consonants spell no words and are hard to confuse (RFC 8628 §6.1): 20^8 codes. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
const LIFETIME_MS = 5 * 60_000
const MOST_WAITING = 1000
const MOST_WAITING_PER_NETWORK = 5
/** The most wrong codes of a person, and wrong secrets of a pairing. */
const TRIES = 5

export interface Pairing {
  id: string
  /** Without the hyphen. */
  code: string
  /** The machine's name for itself. */
  name: string
  /** Its IP address. */
  address: string
  /** The id or slug of the requested project, not verified. */
  project: string | null
  /** In ms since 1970. */
  expires: number
  secretHash: string
  triesLeft: number
  isBeingApproved: boolean
  answer: 'waiting' | 'denied' | { key: string; projectId: string }
}

type Wish = Pick<Pairing, 'name' | 'address' | 'project'>

/** Returns the network that a pairing counts for: providers give a customer up to a /48. */
const ownerOf = ({ address }: Wish): string => toNetwork(address, 48)

/** Machines that wait for an API key, in memory: each for 5 minutes, or until the host restarts. */
export class Pairings {
  readonly #waiting = new Map<string, Pairing>()
  readonly #starts = new RateLimit(
    20,
    LIFETIME_MS / 1000,
    'Too many codes from this address; use one of them',
  )
  readonly #guesses = new RateLimit(
    TRIES,
    LIFETIME_MS / 1000,
    'Too many wrong codes; try again in a few minutes',
  )

  constructor(private readonly sources: Pick<Sources, 'now' | 'newId'>) {}

  /** Starts a pairing. Also returns the secret, which is not stored. Throws `too_many_requests`. */
  async start(wish: Wish): Promise<{ pairing: Pairing; secret: string }> {
    await this.#starts.take(ownerOf(wish))
    this.#dropExpired()
    this.#makeRoomFor(wish)

    const secret = newLinkToken()
    const pairing: Pairing = {
      ...wish,
      id: this.sources.newId(),
      code: Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
      expires: this.sources.now().getTime() + LIFETIME_MS,
      secretHash: hashOfToken(secret),
      triesLeft: TRIES,
      isBeingApproved: false,
      answer: 'waiting',
    }

    this.#waiting.set(pairing.id, pairing)
    return { pairing, secret }
  }

  /**
   * Finds the unanswered pairing with this code. Counts wrong codes of the person. Throws
   * `not_found` and `too_many_requests`.
   */
  async find(typed: string, userId: string): Promise<Readonly<Pairing>> {
    this.#dropExpired()
    await this.#guesses.take(userId)

    const code = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
    const isOpen = (it: Pairing) => it.answer === 'waiting' && !it.isBeingApproved
    const pairing = [...this.#waiting.values()].find((it) => it.code === code && isOpen(it))

    if (!pairing)
      throw new AppError(
        'not_found',
        'This code is wrong, was answered already, or is older than 5 minutes. Check the ' +
          'terminal, or start again there.',
      )

    await this.#guesses.giveBack(userId)
    return pairing
  }

  deny(pairing: Pairing): void {
    pairing.answer = 'denied'
  }

  /**
   * Creates a key and stores it as the answer. Until then no other answer is accepted. Throws what
   * `create` throws.
   */
  async approve(
    pairing: Pairing,
    projectId: string,
    create: () => Promise<{ key: string }>,
  ): Promise<void> {
    pairing.isBeingApproved = true
    try {
      const { key } = await create()
      pairing.answer = { key, projectId }
    } finally {
      pairing.isBeingApproved = false
    }
  }

  /** Returns the answer to the machine, once. Throws `not_found`. */
  collect(id: string, secret: string): Pairing['answer'] {
    this.#dropExpired()
    const pairing = this.#waiting.get(id)
    if (!pairing) throw notFound('Pairing')

    if (hashOfToken(secret) !== pairing.secretHash) {
      pairing.triesLeft--
      if (pairing.triesLeft === 0) this.#waiting.delete(id)
      throw notFound('Pairing')
    }

    if (pairing.answer !== 'waiting') this.#waiting.delete(id)
    return pairing.answer
  }

  /**
   * Evicts the oldest pairing of a network with too many, so that a few networks never take all
   * places.
   */
  #makeRoomFor(wish: Wish): void {
    const networks = Map.groupBy(this.#waiting.values(), ownerOf)
    const own = networks.get(ownerOf(wish)) ?? []
    const isFull = this.#waiting.size >= MOST_WAITING
    const crowded = isFull
      ? [...networks.values()].sort((a, b) => b.length - a.length)[0]
      : undefined
    const [oldest] = own.length >= MOST_WAITING_PER_NETWORK ? own : (crowded ?? [])
    if (oldest) this.#waiting.delete(oldest.id)
  }

  #dropExpired(): void {
    const now = this.sources.now().getTime()
    for (const { id, expires } of this.#waiting.values())
      if (expires <= now) this.#waiting.delete(id)
  }
}
