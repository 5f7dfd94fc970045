import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { DAY_MS, type Clock } from '../../core/clock'
import { toNetwork } from '../../core/net/ip-address'
import { isSpecial } from '../../core/net/public-address'
import type { Peer } from '../../http/listen/peer'
import type { KeptMapping } from './lease/kept-mapping'
import type { ProofOf, Situation } from './situation'
import { PhoneTests } from './visits/phone-tests'
import { Visitors } from './visits/visitors'

/** Visits renew the proof no more often, in ms. */
const RENEW_MS = 60_000
/** An older proof does not count after a restart, in ms. */
const KEPT_MS = 7 * DAY_MS

/**
 * What proves that people outside reach this host: the authority, a phone or a visitor connected
 * from there.
 */
export class Proofs {
  readonly phones: PhoneTests
  readonly visitors: Visitors

  constructor(
    private readonly deps: {
      clock: Clock
      mappingStore: KeptMapping
      /**
       * Whether a router forwards visitors by a mapping of ours, not by a port that a person
       * opened.
       */
      isMapped: () => boolean
    },
    private readonly situation: Situation,
  ) {
    this.phones = new PhoneTests(deps.clock)
    this.visitors = new Visitors(deps.clock)
  }

  /** Whether an address is on the internet, and not this house seen from outside. */
  isOutside(address: string): boolean {
    if (isSpecial(address) !== undefined) return false
    const { outer, observed } = this.situation.get()
    const own = Object.values(networkInterfaces()).flatMap((it) => it ?? [])
    const house = [outer?.address, observed, ...own.map((it) => it.address)]
    return !house.some((it) => typeof it === 'string' && toNetwork(it) === toNetwork(address))
  }

  /** Uses the link of a phone test up, which proves the way in if the phone came from outside. */
  usePhone(token: string, { address, isOutside }: Peer) {
    const outcome = this.phones.use(token, isOutside && this.isOutside(address))
    if (outcome === 'outside') this.prove('phone', address)
    return outcome
  }

  /** Notes a connection from outside to the current public origin. */
  prove(by: 'authority' | 'phone' | 'visitor', address: string): void {
    const { proof, url } = this.situation.get()
    const now = this.deps.clock.now()
    if (
      url === null ||
      (by === 'visitor' && proof && now.getTime() - Date.parse(proof.at) < RENEW_MS)
    )
      return
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const noted = { at: now.toISOString(), by, family, place: placeOf(url) } as const
    this.situation.apply('proved', noted)
    void this.deps.mappingStore.update({ proof: { ...noted, isMapped: this.deps.isMapped() } })
  }

  /** The proof for this origin: the one of now, or of an earlier run; null: none. */
  of(url: string): ProofOf | null {
    const { proof } = this.situation.get()
    const storedProof = this.deps.mappingStore.get().proof
    const oldest = this.deps.clock.now().getTime() - KEPT_MS
    // What came by a mapping of ours proves nothing once that is gone, and a port that a person
    // opened stays open.
    const isSameWay = storedProof?.isMapped === this.deps.isMapped()
    const isKeptOf =
      isSameWay && storedProof.place === placeOf(url) && Date.parse(storedProof.at) > oldest
    return proof?.place === placeOf(url) ? proof : isKeptOf ? storedProof : null
  }

  /**
   * Forgets the proof where it may no longer hold. The next connection from outside proves it
   * again.
   */
  drop(): void {
    this.situation.apply('doubted')
    if (this.deps.mappingStore.get().proof !== null)
      void this.deps.mappingStore.update({ proof: null })
  }

  /**
   * Notes whether the router with our mapping answers. While it does not, it may have lost the
   * mapping.
   */
  follow(isSilent: boolean): void {
    if (isSilent && !this.situation.get().isSilent) this.drop()
    this.situation.apply('silent', isSilent)
  }
}

/**
 * Host and port of an origin. A certificate, which changes the scheme, changes nothing about how
 * people reach it.
 */
export function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`
}
