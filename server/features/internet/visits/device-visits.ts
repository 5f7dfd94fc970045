import { join } from 'node:path'
import { z } from 'zod'
import { api, type HostAddress } from '../../../contract'
import { DAY_MS, type Clock } from '../../../core/clock'
import { AppError, ReadOnlyHostError } from '../../../core/errors'
import { covers, isLoopback } from '../../../core/net/ip-address'
import type { Log } from '../../../core/logging/log'
import { Serial } from '../../../core/serial'
import type { Disk } from '../../../core/durable-file'
import { StoredFile } from '../../../data/stored-file'
import type { Addresses } from '../../../network/addresses'
import { placeOf } from '../proofs'
import { PhoneTests } from './phone-tests'

/** Older visits prove nothing, because the network or its firewall may have changed. In ms. */
const KEPT_MS = 7 * DAY_MS
/** The shortest time between two records of an address, in ms. */
const NOTE_EVERY_MS = 60_000
const SAVE_EVERY_MS = 3_600_000
/**
 * The most hosts that are tracked: clients can send any name, and a flood must not fill the memory.
 */
const MOST_HOSTS = 100

/** Time of the last visit by host and port. */
const visitsSchema = z.record(z.string(), z.iso.datetime())

/** A request as it arrived: its sender, and the host and protocol that it used. */
interface Visit {
  address: string
  host: string
  protocol: string
  isOutside: boolean
}

interface Deps {
  dataDir: string
  disk: Disk
  clock: Clock
  log: Pick<Log, 'warn'>
  addresses: Pick<Addresses, 'list' | 'own' | 'tested'>
}

/**
 * Records when another device last used each address of this host. A request of this computer to
 * itself passes no firewall, so only such a visit proves that an address works. `visits.json`
 * contains the times, but no visitors, and is in no backup.
 */
export class DeviceVisits {
  #visits: z.infer<typeof visitsSchema> = {}
  /** When each origin was seen and the file was written, as elapsed time. */
  readonly #seen = new Map<string, number>()
  #savedAt = -Infinity
  readonly #phones: PhoneTests
  readonly #saving = new Serial()

  constructor(private readonly deps: Deps) {
    this.#phones = new PhoneTests(deps.clock)
  }

  /** Reads the visits of earlier runs. A damaged file counts as empty. */
  async read(): Promise<void> {
    const visits = fileIn(this.deps).read()
    this.#visits = { ...(await visits.catch(() => undefined)), ...this.#visits }
  }

  /**
   * Returns all addresses with the results of their tests, and when another device last used them.
   */
  async tested(retest?: boolean): Promise<HostAddress[]> {
    const tested = await this.deps.addresses.tested(retest)
    return tested.map((it) => {
      const last_visit = this.lastAt(it.url)
      return {
        ...it,
        test: it.test === 'ok' && last_visit !== null ? 'visited' : it.test,
        last_visit,
      }
    })
  }

  /** Returns when another device last used this origin within 7 days, or null. */
  lastAt(origin: string): string | null {
    const at = this.#visits[placeOf(origin)]
    return at !== undefined && this.#isRecent(at) ? at : null
  }

  /** Records a request, at most once a minute for each address. */
  see(visit: Visit, path: string): void {
    // The host pings itself, and a router may send that back under its own address.
    if (visit.isOutside || isLoopback(visit.address) || path === api.host.ping.path) return

    const origin = originUsedBy(visit)
    const now = this.deps.clock.elapsed()
    if (now - (this.#seen.get(origin) ?? -Infinity) < NOTE_EVERY_MS) return

    const place = placeOf(origin)
    const kind = this.#kindOf(place)
    if (kind !== undefined && !this.#isDevice(visit.address, kind)) return

    if (this.#seen.size >= MOST_HOSTS) this.#seen.clear()
    this.#seen.set(origin, now)
    if (kind !== undefined) this.#note(place)
  }

  /**
   * Creates a link for a device in the network of this host. Uses plain HTTP, so that the device
   * need not trust our certificate. Throws `not_shared`.
   */
  phoneTest(): { url: string; expires_at: string } {
    const home = this.deps.addresses
      .list()
      .find(({ kind, offered }) => offered && kind !== 'public' && kind !== 'name')
    if (!home)
      throw new AppError('not_shared', 'This host is not shared on a network. Share it first')
    return this.#phones.create(new URL(`http://${placeOf(home.url)}`).origin)
  }

  /** Uses up a link if another device opened it. This computer may open it before. */
  usePhoneTest(token: string, visit: Visit): 'device' | 'here' | 'ended' {
    const place = placeOf(originUsedBy(visit))
    const kind = this.#kindOf(place)

    const outcome = this.#phones.use(
      token,
      !visit.isOutside && kind !== undefined && this.#isDevice(visit.address, kind),
    )

    if (outcome === 'ended') return 'ended'
    if (outcome === 'inside') return 'here'

    this.#note(place)
    return 'device'
  }

  /** Resolves when the file is written. */
  settled(): Promise<void> {
    return this.#saving.idle()
  }

  /** Returns the kind of one of our addresses. Undefined for other addresses. */
  #kindOf(place: string): HostAddress['kind'] | undefined {
    return this.deps.addresses.list().find(({ url }) => placeOf(url) === place)?.kind
  }

  /** Whether a sender is another device. Containers on this computer pass no firewall. */
  #isDevice(sender: string, kind: HostAddress['kind']): boolean {
    const isInside = (network?: string) =>
      network !== undefined && kind !== 'virtual' && covers([network], sender)
    const own = this.deps.addresses.own()
    return (
      !isLoopback(sender) &&
      !own.some(({ address, inside }) => address === sender || isInside(inside))
    )
  }

  #note(place: string): void {
    const { clock } = this.deps
    const isFirst = this.#visits[place] === undefined || !this.#isRecent(this.#visits[place])
    const recent = Object.entries(this.#visits).filter(([, at]) => this.#isRecent(at))
    this.#visits = { ...Object.fromEntries(recent), [place]: clock.now().toISOString() }
    if (!isFirst && clock.elapsed() - this.#savedAt < SAVE_EVERY_MS) return
    this.#savedAt = clock.elapsed()
    void this.#saving.run(() => this.#save())
  }

  async #save(): Promise<void> {
    await fileIn(this.deps)
      .write(this.#visits)
      .catch((err: unknown) => {
        // A host that only reads remembers visits until it restarts.
        if (err instanceof ReadOnlyHostError) return
        this.deps.log.warn({ err }, 'cannot record visits; a restart forgets the last hour of them')
      })
  }

  #isRecent(at: string): boolean {
    return this.deps.clock.now().getTime() - Date.parse(at) < KEPT_MS
  }
}

const fileIn = ({ dataDir, disk }: Deps) =>
  new StoredFile(visitsSchema, join(dataDir, 'visits.json'), { onDamage: () => null, disk })

const originUsedBy = ({ protocol, host }: Visit) => `${protocol}://${host}`
