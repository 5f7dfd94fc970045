import { background } from '../../core/background'
import { endsWithin } from '../../core/deadline'
import { AppError } from '../../core/errors'
import { Serial } from '../../core/serial'
import { presentInternet } from './internet-view'
import { KeptMapping } from './lease/kept-mapping'
import type { InternetDeps } from './needs'
import { changeFor, type OpenRequest } from './open-request'
import { Proofs } from './proofs'
import { RouterWay } from './router/router-way'
import { Situation } from './situation'
import { TunnelWay } from './tunnel/tunnel-way'

/** How often to check what is due, in ms. */
const LOOK_MS = 1000
/** Time limit for undoing everything at quit, in ms. */
const QUIT_MS = 1900

/**
 * Makes this host reachable from the internet, through the router or a tunnel, when the host
 * account asks for it. Keeps it reachable, and undoes everything when the account stops it or the
 * program ends. While it is off it contacts no router, except to remove what a crash left behind.
 */
export class Internet {
  readonly #situation = new Situation()
  readonly #queue = new Serial()
  /** Changes of the settings, one after the other, because each depends on the saved settings. */
  readonly #changes = new Serial()
  readonly #kept: KeptMapping
  readonly #proofs: Proofs
  readonly #ways: { router: RouterWay; tunnel: TunnelWay }
  #running = new AbortController()
  #looking: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(private readonly deps: InternetDeps) {
    const situation = this.#situation
    this.#kept = new KeptMapping(deps)

    const isMapped = () => this.#ways.router.lease.mapping !== undefined
    this.#proofs = new Proofs({ clock: deps.clock, mappingStore: this.#kept, isMapped }, situation)

    const router = new RouterWay(deps, {
      situation,
      mappingStore: this.#kept,
      proofs: this.#proofs,
    })

    this.#ways = { router, tunnel: new TunnelWay(deps, situation) }
  }

  view(): ReturnType<typeof presentInternet> {
    const { deps: needs } = this
    const { lease, leftovers } = this.#ways.router
    const { visitors } = this.#proofs
    return presentInternet(this.#situation.get(), needs.settings(), {
      needs,
      lease,
      leftovers,
      visitors,
    })
  }

  /** The public origin while the outside door is open, else null. */
  origin(): string | null {
    return this.deps.door.port === undefined ? null : this.#situation.get().url
  }

  /** Calls back after each change of the view. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#situation.onChange(listener)
  }

  /**
   * Opens what the settings say, or removes what a crash left behind. Call this after listening.
   */
  async start(): Promise<void> {
    await this.#kept.read()
    const { internet_way: way } = this.deps.settings()
    if (way !== 'off' && this.deps.blockers().length === 0) this.#begin(way)
    else void this.#queue.run(() => this.#ways.router.close())
    const looking = background(this.deps.log, 'cannot keep the way from the internet; retrying')
    this.#looking = setInterval(() => looking(() => this.look()), LOOK_MS).unref()
  }

  /** Renews, retries and follows changes when due. Called every second. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#situation.get().busy !== null) return
    this.#isLooking = true
    const { signal } = this.#running

    try {
      await this.#queue.run(async () => {
        if (signal.aborted) return
        await this.#kept.save()
        for (const way of Object.values(this.#ways)) await way.check(signal)
      })
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#isLooking = false
    }
  }

  /**
   * Stops, first of all at quit. Takes at most 2 s. If a router does not answer, its mapping ends
   * with its lease.
   */
  async stop(): Promise<void> {
    clearInterval(this.#looking)
    await endsWithin(QUIT_MS, this.#undo())
  }

  /**
   * Asks the router for its capabilities; with `askOutside` also the STUN server for the address.
   * Opens nothing. Throws `busy`.
   */
  async check(askOutside: boolean): Promise<void> {
    this.#refuseWhileBusy()

    const { signal } = this.#running
    const isOff = this.#situation.get().way === 'off'
    if (isOff) this.#situation.apply('busy', 'checking')

    await this.#queue.run(async () => {
      try {
        const [otherTunnels, authorizedKey] = await Promise.all([
          this.deps.otherTunnels(),
          this.deps.authorizedKey(this.deps.settings().tunnel_remote_port),
        ])
        this.#situation.apply('checked', { otherTunnels, authorizedKey })

        const { router } = this.#ways
        if (isOff) this.#situation.apply('checked', await router.network.run(askOutside, signal))
        else if (this.#situation.get().way === 'router')
          await router.open({ signal, isAsked: false })
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        if (isOff) this.#situation.apply('busy', null)
      }
    })
  }

  /** Starts to open this host. `onChange` reports progress. Throws AppError if it cannot start. */
  async open(request: OpenRequest): Promise<void> {
    this.#refuseWhileBusy()
    const change = changeFor(request, this.deps.settings(), this.deps.blockers())
    const { way } = request
    const { signal } = this.#running

    this.#situation.apply('busy', 'opening')
    try {
      await this.#changes.run(async () => {
        const closesRegistration =
          !request.keep_registration_open && this.deps.settings().registration_open
        await this.deps.save({
          ...change,
          ...(closesRegistration && { registration_open: false, reopens_registration: true }),
        })
        if (closesRegistration) this.deps.onRegistration(false)
      })
    } catch (error) {
      this.#situation.apply('busy', null)
      throw error
    }

    // If the host account closed it during this, do not open.
    if (!signal.aborted) this.#begin(way)
  }

  /** Closes this host, and reverts what opening changed, including the registration. */
  async close(): Promise<void> {
    // Save first: after a crash while the router answers, the next start must not open the host.
    const saved = this.#changes.run(async () => {
      const { reopens_registration: reopens, registration_open: isOpen } = this.deps.settings()
      const opensRegistration = reopens && !isOpen
      await this.deps.save({
        internet_way: 'off',
        reopens_registration: false,
        ...(opensRegistration && { registration_open: true }),
      })
      if (opensRegistration) this.deps.onRegistration(true)
    })

    await Promise.allSettled([saved, this.#undo()])
    await saved
    this.#situation.notify()
  }

  /** Records a request from outside. A public address proves that people reach this host. */
  seen(address: string): void {
    const isNew = this.#proofs.visitors.see(address)
    if (this.#ways.router.countsVisits && this.#proofs.isOutside(address))
      this.#proofs.prove('visitor', address)
    if (isNew) this.#situation.notify()
  }

  /** Records a failed sign-in from outside. */
  signInFailed(): void {
    this.#proofs.visitors.fail()
    this.#situation.notify()
  }

  /** Creates a link for a phone that is not on Wi-Fi. Throws `internet_closed`. */
  phoneTest(): { url: string; expires_at: string } {
    const origin = this.origin()
    if (origin === null)
      throw new AppError('internet_closed', 'This host is not open to the internet. Open it first')
    return this.#proofs.phones.create(origin)
  }

  usePhoneTest(...request: Parameters<Proofs['usePhone']>) {
    return this.#proofs.usePhone(...request)
  }

  #refuseWhileBusy(): void {
    const { busy } = this.#situation.get()
    if (busy === 'opening')
      throw new AppError('busy', 'This host is being opened. Wait until that has finished')
    if (busy === 'checking')
      throw new AppError('busy', 'A check is in progress. Wait until it has finished')
  }

  /** Starts opening in the background, after the other way is closed. */
  #begin(way: 'router' | 'tunnel'): void {
    const { way: before } = this.#situation.get()
    // Reopening the router keeps a fitting mapping, also one that a crash left behind.
    if (before === 'tunnel' || (before === 'router' && way === 'tunnel')) void this.#undo()
    const { signal } = this.#running
    this.#situation.apply('opening', way)
    const opening = background(this.deps.log, 'cannot open this host to the internet')
    opening(() => this.#queue.run(() => this.#open(way, signal)))
  }

  async #open(way: 'router' | 'tunnel', signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted()
      await this.#ways[way].open({ signal, isAsked: true })
    } catch (error) {
      if (signal.aborted) return
      this.#situation.apply('crashed', error instanceof Error ? error.message : String(error))
      throw error
    } finally {
      if (!signal.aborted) this.#situation.apply('busy', null)
    }
  }

  /**
   * Interrupts the running work and closes everything; then again what the interrupted work opened.
   */
  async #undo(): Promise<void> {
    this.#running.abort()
    this.#running = new AbortController()
    this.#proofs.phones.clear()
    this.#situation.apply('closed')
    const close = async () => {
      await Promise.all(Object.values(this.#ways).map((way) => way.close()))
    }
    await Promise.all([close(), this.#queue.run(close)])
  }
}
