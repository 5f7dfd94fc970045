import { DAY_MS } from '../../../core/clock'
import { Certifier } from '../certifier'
import type { KeptMapping } from '../lease/kept-mapping'
import { toRefusal, type Lease, type Refusal } from '../lease/lease'
import { DRAIN_MS, type InternetDeps } from '../needs'
import type { Proofs } from '../proofs'
import type { RouterCheck } from './router-check'
import { judge, publicAddress, publicOrigin, type Situation, type StepName } from '../situation'
import { isMappingOfUse } from '../verdict'
import type { Run } from '../way'

const HTTP = 80
const HTTPS = 443
/** The most informative refusal of several protocols comes first. */
const TELLING: readonly Refusal['reason'][] = [
  'port_taken',
  'refused',
  'no_room',
  'no_network',
  'silent',
  'unsupported',
]

interface Deps extends InternetDeps {
  situation: Situation
  mappingStore: KeptMapping
  network: RouterCheck
  lease: Lease
  pinhole: Lease
  proofs: Proofs
}

/**
 * Opens this host through the router: door, mapping, comparison of addresses, certificate, proof.
 */
export class RouterOpening {
  readonly certifier: Certifier
  /**
   * The last query of the STUN server: it is asked once a day, or when the outer address changes.
   */
  #observed = { outer: '', at: -Infinity }
  #isBrief = false
  /** The public port, as a person chose it. */
  readonly #port = () => this.deps.settings().internet_port

  constructor(private readonly deps: Deps) {
    this.certifier = new Certifier(deps, deps.situation)
  }

  /**
   * Whether the authority is about to connect to port 80: visits then prove nothing about the
   * public port.
   */
  get isBrief(): boolean {
    return this.#isBrief
  }

  /** Runs all steps. Completed steps stay as they are. */
  async open(run: Run): Promise<void> {
    const { situation, network } = this.deps
    if (run.isAsked) situation.apply('steps', 'door', 'router', 'address', 'certificate', 'proof')
    situation.apply('portChosen', this.#port())

    await this.#step(run, 'door', () => this.#openDoor())
    await this.#step(run, 'router', async () => {
      situation.apply('checked', await network.find(run.signal))
      return situation.get().hasNetwork
    })

    if (!situation.get().hasNetwork) return
    const wasSilent = situation.get().isSilent
    this.deps.proofs.follow(this.#isSilent())

    // Do not touch what it opened before: it may work until the lease ends.
    if (situation.get().isSilent) return
    if (wasSilent) await this.deps.lease.renew()
    await this.settle(run)
  }

  /** Whether the router with our mapping answers none of its protocols. */
  #isSilent(): boolean {
    const { network, lease } = this.deps
    const { client, external } = lease.mapping ?? {}
    return (
      client === network.place?.own && external === this.#port() && network.routers.length === 0
    )
  }

  /** Runs the steps after the router was found. */
  async settle(run: Run): Promise<void> {
    const { situation, network } = this.deps
    situation.apply('checked', { outer: await network.outerAddress() })
    run.signal.throwIfAborted()

    await this.#certifyBriefly(run)
    await this.#step(run, 'router', () => this.#map(run, this.#port()))
    if (situation.get().outer === null && this.deps.lease.mapping) await this.#learnOuter(run)
    await this.#step(run, 'address', () => this.#compare(run))

    const { state } = judge({ ...situation.get(), busy: null, proof: null, ipv6: null })
    if (state === 'shared_address' || state === 'offline') return this.#openIpv6(run)
    await this.deps.pinhole.close()
    if (!isMappingOfUse(state)) return this.#withdraw()

    const subject = this.#subject()
    if (subject === undefined) return situation.apply('unnamed')
    await this.certifier.load(subject)
    this.#publish(subject, this.#port())
    await this.followName()

    await this.#step(run, 'certificate', () => this.#certify(run, subject))
    if (run.isAsked)
      situation.apply('step', 'proof', situation.get().proof === null ? 'waiting' : 'done')

    void this.#askHairpin()
  }

  /** PCP reports the outer address only with a mapping. */
  async #learnOuter(run: Run): Promise<void> {
    this.deps.situation.apply('checked', { outer: await this.deps.network.outerAddress() })
    await this.#certifyBriefly(run)
    await this.#map(run, this.#port())
  }

  /** Updates the name before the authority looks it up, and after each change. */
  async followName(): Promise<void> {
    const { ipv6, ...facts } = this.deps.situation.get()
    if (facts.url !== null)
      await this.deps.name?.look({ ip4: publicAddress(facts) ?? null, ip6: ipv6 })
  }

  async #openDoor(): Promise<boolean> {
    const { door, mappingStore } = this.deps
    const port = door.port ?? (await door.open(mappingStore.get().door ?? undefined))
    if (mappingStore.get().door !== port) await mappingStore.update({ door: port })
    return true
  }

  /** Tries each protocol. Returns whether one opened the port. */
  async #map(run: Run, external: number, isRepeated = false): Promise<boolean> {
    const { network, lease, situation } = this.deps
    const refusals: Refusal[] = []

    for (const router of network.routers) {
      run.signal.throwIfAborted()
      // The server of PCP answers NAT-PMP, too (RFC 6887 appendix A), and would give another port.
      if (router.protocol === 'nat-pmp' && refusals.some(({ reason }) => reason === 'port_taken'))
        continue

      const request = { client: network.place?.own ?? '', port: this.deps.door.port ?? 0, external }
      try {
        await lease.open(router, request)
        situation.apply('mapped', external, null)
        return true
      } catch (err) {
        refusals.push(toRefusal(err))
      }
    }

    const rank = ({ reason, holder }: Refusal) =>
      TELLING.indexOf(reason) - (holder === null ? 0 : 0.5)
    const [refusal = null] = refusals.sort((a, b) => rank(a) - rank(b))

    // Only UPnP names the device that has a port. A lost response must not hide the name, so search
    // once more.
    if (refusal?.reason === 'port_taken' && refusal.holder === null && !isRepeated) {
      await network.find(run.signal)
      // If the second search is lost as well, keep what is known.
      if (network.routers.length > 0) return this.#map(run, external, true)
    }

    situation.apply('mapped', external, refusal)
    return false
  }

  async #compare({ signal, isAsked }: Run): Promise<boolean> {
    const { network, situation } = this.deps
    const now = this.deps.clock.elapsed()
    const outer = JSON.stringify([situation.get().outer, network.place])
    if (isAsked || outer !== this.#observed.outer || now - this.#observed.at >= DAY_MS) {
      this.#observed = { outer, at: now }
      situation.apply('checked', { observed: await network.observedAddress(signal) })
    }
    return publicAddress(situation.get()) !== undefined
  }

  /**
   * Without an IPv4 address, people may connect over IPv6 to the port of the door, because nothing
   * translates it. Authorities do not validate at that port, so pages and downloads use plain HTTP.
   */
  async #openIpv6({ signal }: Run): Promise<void> {
    const { network, pinhole, lease, situation, routers } = this.deps
    const { pinholes } = routers

    await lease.close()
    const place = await pinholes?.place()
    const ways = place && pinholes ? await pinholes.find(place, network.routers, signal) : []

    const port = this.deps.door.port ?? 0
    for (const router of ways) {
      signal.throwIfAborted()
      const client = place?.own ?? ''
      const failure = await pinhole.open(router, { client, port, external: port }).catch(toRefusal)
      if (failure !== undefined) continue
      situation.apply('pinhole', client)
      return this.#publish(client, port)
    }

    await pinhole.close()
    await this.#withdraw()
  }

  /** Removes a useless mapping, and closes its door. */
  async #withdraw(): Promise<void> {
    this.deps.situation.apply('withdrawn')
    await Promise.all([this.deps.lease.close(), this.deps.door.close(DRAIN_MS)])
  }

  /**
   * Orders a certificate through port 80, which the router forwards for that moment: if the public
   * port is not 443, the authority can only validate there.
   */
  async #certifyBriefly(run: Run): Promise<void> {
    const subject = this.#subject()
    if (this.#port() === HTTPS || subject === undefined || this.deps.network.routers.length === 0)
      return

    await this.certifier.load(subject)
    if (!this.certifier.isDue(run.isAsked)) return

    this.#isBrief = true
    try {
      if (await this.#map(run, HTTP)) await this.certifier.order({ ...run, subject, by: 'http' })
    } finally {
      this.#isBrief = false
    }
  }

  async #certify(run: Run, subject: string): Promise<boolean> {
    const { situation, proofs } = this.deps
    const isProof =
      this.#port() === HTTPS && (await this.certifier.order({ ...run, subject, by: 'tls' }))
    this.#publish(subject, this.#port())
    if (isProof) proofs.prove('authority', subject)
    return situation.get().certificate === 'valid'
  }

  /** Sets the public origin, and keeps a proof for the same host and port. */
  #publish(subject: string, port: number): void {
    const { situation, proofs } = this.deps
    const url = publicOrigin(situation.get(), subject, port)
    situation.apply('published', url, port, this.deps.clock.now(), proofs.of(url))
  }

  /** Many routers do not support hairpin NAT: ignore failures. */
  async #askHairpin(): Promise<void> {
    const { situation } = this.deps
    const { url } = situation.get()
    if (url === null) return
    const answer = await this.deps.ask(url)
    if (situation.get().url === url) situation.apply('hairpin', answer === 'ok')
  }

  /** The public name or address. */
  #subject(): string | undefined {
    const { internet_name: name } = this.deps.settings()
    return name === '' ? publicAddress(this.deps.situation.get()) : name
  }

  async #step({ isAsked }: Run, name: StepName, work: () => Promise<boolean>): Promise<boolean> {
    const say = (state: 'running' | 'done' | 'failed') =>
      isAsked && this.deps.situation.apply('step', name, state)

    say('running')
    let isDone = false
    try {
      isDone = await work()
      return isDone
    } finally {
      say(isDone ? 'done' : 'failed')
    }
  }
}
