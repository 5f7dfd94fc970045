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

/** The shortest time between two renewals of the proof by visits, in ms. */
const RENEW_MS = 60_000
/** An older proof does not count after a restart, in ms. */
const KEPT_MS = 7 * DAY_MS

/**
 * Proofs that people outside reach this host: the authority, a phone or a visitor connected from
 * there.
 */
export class Proofs {
  readonly phones: PhoneTests
  readonly visitors: Visitors

  constructor(
    private readonly deps: {
      clock: Clock
      mappingStore: KeptMapping
      /**
       * Whether a router forwards visitors by our mapping, and not by a port that a person opened.
       */
      isMapped: () => boolean
    },
    private readonly situation: Situation,
  ) {
    this.phones = new PhoneTests(deps.clock)
    this.visitors = new Visitors(deps.clock)
  }

  /** Whether an address is on the internet, and not our own public address. */
  isOutside(address: string): boolean {
    if (isSpecial(address) !== undefined) return false
    const { outer, observed } = this.situation.get()
    const own = Object.values(networkInterfaces()).flatMap((it) => it ?? [])
    const house = [outer?.address, observed, ...own.map((it) => it.address)]
    return !house.some((it) => typeof it === 'string' && toNetwork(it) === toNetwork(address))
  }

  /**
   * Uses up the link of a phone test. This proves that the host is reachable if the phone came from
   * outside.
   */
  usePhone(token: string, { address, isOutside }: Peer) {
    const outcome = this.phones.use(token, isOutside && this.isOutside(address))
    if (outcome === 'outside') this.prove('phone', address)
    return outcome
  }

  /** Records a connection from outside to the current public origin. */
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

  /** Returns the proof for this origin, of this run or an earlier one, or null. */
  of(url: string): ProofOf | null {
    const { proof } = this.situation.get()
    const storedProof = this.deps.mappingStore.get().proof
    const oldest = this.deps.clock.now().getTime() - KEPT_MS
    // A proof by our mapping ends with the mapping. A port that a person opened stays open.
    const isSameWay = storedProof?.isMapped === this.deps.isMapped()
    const isKeptOf =
      isSameWay && storedProof.place === placeOf(url) && Date.parse(storedProof.at) > oldest
    return proof?.place === placeOf(url) ? proof : isKeptOf ? storedProof : null
  }

  /** Forgets a proof that may no longer be true. The next connection from outside renews it. */
  drop(): void {
    this.situation.apply('doubted')
    if (this.deps.mappingStore.get().proof !== null)
      void this.deps.mappingStore.update({ proof: null })
  }

  /**
   * Records whether the router with our mapping answers. A silent router may have lost the mapping.
   */
  follow(isSilent: boolean): void {
    if (isSilent && !this.situation.get().isSilent) this.drop()
    this.situation.apply('silent', isSilent)
  }
}

/**
 * Returns host and port of an origin. A new certificate changes the scheme, but not who can
 * connect.
 */
export function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`
}
