import type { KeptMapping } from '../lease/kept-mapping'
import { Lease } from '../lease/lease'
import { Leftovers } from '../lease/leftovers'
import { DRAIN_MS, type InternetDeps } from '../needs'
import type { Proofs } from '../proofs'
import { RouterCheck } from './router-check'
import { RouterOpening } from './router-opening'
import { judge, type Situation } from '../situation'
import type { Run, Way } from '../way'

/**
 * How often to ask the router for its address and age, in ms: its announcements (RFC 6886 §3.2.1)
 * may be lost.
 */
const POLL_MS = 30_000
/**
 * The delay before a retry, in ms. The short one without a network, after a lost mapping, or while
 * the mapping leads to a former address.
 */
const RETRY_MS = 600_000
const RETRY_SOON_MS = 10_000
/** A router counts as silent after this many unanswered queries. */
const SILENT_QUESTIONS = 2
/** The delay between two orders of a due certificate, in ms, if the first could not even begin. */
const ORDER_MS = 3_600_000

/**
 * Opens this host through the router, and keeps it open while leases end, routers reboot and
 * addresses change.
 */
export class RouterWay implements Way {
  readonly lease: Lease
  readonly leftovers: Leftovers
  readonly #pinhole: Lease
  readonly network: RouterCheck
  readonly #opening: RouterOpening
  #isOpen = false
  #source: string | undefined
  #unanswered = 0
  #pollAt = 0
  #retryAt = 0
  #orderAt = 0

  constructor(
    private readonly deps: InternetDeps,
    private readonly parts: { situation: Situation; mappingStore: KeptMapping; proofs: Proofs },
  ) {
    const { mappingStore, situation } = parts
    this.network = new RouterCheck(deps)

    const inUse = () => [this.lease.mapping, this.#pinhole.mapping]
    this.leftovers = new Leftovers({ ...deps, mappingStore, routerOf: deps.routers.of, inUse })
    const common = { ...deps, leftovers: this.leftovers }

    this.lease = new Lease({
      ...common,
      mappingStore: {
        get: () => mappingStore.get().mapping,
        set: (mapping) => mappingStore.update({ mapping }),
      },
      onChange: (isAnew) => this.#followLease(isAnew),
    })

    this.#pinhole = new Lease({
      ...common,
      mappingStore: {
        get: () => mappingStore.get().pinhole,
        set: (pinhole) => mappingStore.update({ pinhole }),
      },
      onChange: () => this.#pinhole.mapping ?? situation.apply('pinholeLost'),
    })

    const { network, lease } = this
    this.#opening = new RouterOpening({ ...deps, ...parts, network, lease, pinhole: this.#pinhole })

    deps.routers.announcements.onNews((news) => {
      void this.lease.hear(news)
      if (news.router === situation.get().router?.address) this.#pollAt = 0
    })
  }

  /** Whether a visit now proves that people reach this host. */
  get countsVisits(): boolean {
    return this.#isOpen && !this.#opening.isBrief
  }

  async open(run: Run): Promise<void> {
    const { clock, source, routers } = this.deps
    this.#isOpen = true
    this.#retryAt = clock.elapsed() + RETRY_SOON_MS
    this.#source = await source()
    await routers.announcements.listen()
    run.signal.throwIfAborted()
    await this.leftovers.look()
    await this.#opening.open(run)
    this.#plan()
  }

  async check(signal: AbortSignal): Promise<void> {
    await Promise.all([this.lease.look(), this.#pinhole.look(), this.leftovers.look()])
    if (!this.#isOpen) return
    const now = this.deps.clock.elapsed()
    const run = { signal, isAsked: false }
    if ((await this.deps.source()) !== this.#source || now >= this.#retryAt) return this.open(run)
    const isOrderDue = now >= this.#orderAt && this.parts.situation.get().url !== null
    await this.#opening.followName()
    if (isOrderDue && this.#opening.certifier.isDue(false)) await this.#settle(run)
    else if (now >= this.#pollAt) await this.#poll(run)
  }

  async close(): Promise<void> {
    this.#isOpen = false
    this.deps.routers.announcements.close()
    const closeMappings = async () => {
      const before = this.leftovers.all
      await Promise.all([this.lease.close(), this.#pinhole.close()])
      await this.leftovers.sweep(before)
    }
    await Promise.all([closeMappings(), this.deps.door.close(DRAIN_MS)])
  }

  async #settle(run: Run): Promise<void> {
    await this.#opening.settle(run)
    this.#plan()
  }

  /** Follows a reboot and a new address of the router, and orders a certificate for it. */
  async #poll(run: Run): Promise<void> {
    this.#pollAt = this.deps.clock.elapsed() + POLL_MS
    const [outer] = await Promise.all([
      this.network.outerAddress(),
      this.lease.check(),
      this.#pinhole.check(),
    ])

    const facts = this.parts.situation.get()
    // Some routers never report an address.
    if (outer !== null) {
      // A silent router may have rebooted, no matter what age it reports.
      if (this.#unanswered > 0) await this.lease.renew()
      this.#unanswered = 0
    } else if (facts.outer) this.#notAnswered()

    const hasMoved = outer !== null && outer?.address !== facts.outer?.address
    const own6 = facts.ipv6 === null ? undefined : await this.deps.routers.pinholes?.place()
    if (hasMoved || (facts.ipv6 !== null && own6?.own !== facts.ipv6)) await this.#settle(run)
  }

  /** Schedules the next attempts after an opening. */
  #plan(): void {
    const now = this.deps.clock.elapsed()
    const { hasNetwork, isSilent } = this.parts.situation.get()
    this.#pollAt = now + POLL_MS
    this.#orderAt = now + ORDER_MS
    const { mapping } = this.lease
    if (isSilent) this.#retryAt = now + POLL_MS
    // The router answered at the former address, so its answers were probably lost.
    else if (mapping && mapping.client !== this.network.place?.own)
      this.#retryAt = now + RETRY_SOON_MS
    else if (mapping ?? this.#pinhole.mapping) this.#retryAt = Infinity
    else this.#retryAt = now + (hasNetwork ? this.#retryMs() : RETRY_SOON_MS)
  }

  /**
   * Returns when to retry after a refusal: as soon as the lease of a former address of this
   * computer has ended.
   */
  #retryMs(): number {
    const { situation } = this.parts
    const { state, holder } = judge(situation.get())
    const former =
      state === 'port_taken' ? this.leftovers.former(situation.get(), holder) : undefined
    const leftMs = Date.parse(former?.until ?? '') - this.deps.clock.now().getTime()
    return Number.isNaN(leftMs) ? RETRY_MS : Math.min(RETRY_MS, Math.max(RETRY_SOON_MS, leftMs))
  }

  /**
   * A rebooting router is silent for a while. One that stays silent may no longer forward visitors.
   */
  #notAnswered(): void {
    this.#unanswered += 1
    if (this.#unanswered < SILENT_QUESTIONS || !this.lease.mapping) return
    this.parts.proofs.follow(true)
    this.#plan()
  }

  #followLease(isAnew: boolean): void {
    const { situation, proofs } = this.parts
    const { mapping, refusal } = this.lease

    if (mapping && refusal?.reason === 'silent') this.#notAnswered()
    else if (mapping) this.#unanswered = 0

    const isLost = !mapping && refusal !== undefined && this.#isOpen
    // The earlier proof is no longer valid.
    if (isLost || isAnew) proofs.drop()

    if (!isLost) return situation.notify()
    this.#retryAt = this.deps.clock.elapsed() + RETRY_SOON_MS
    situation.apply('mappingLost', refusal)
  }
}
