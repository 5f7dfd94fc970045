import { statfs } from 'node:fs/promises'
import type { Activity } from '../../contract'
import { endsWithin } from '../../core/deadline'
import { event, type EventStreams } from '../../http/endpoint/event-stream'
import type { RunningTransfers } from '../../http/transfers/running-transfers'
import type { Addresses } from '../../network/addresses'
import type { Internet } from '../internet/internet'
import type { Reach } from '../../network/reach'

const MAX_LISTED = 100
/** How long listing the hosts may take, in ms. */
const HOSTS_MS = 1000
/** How often hosts report, in ms. */
const REPORT_MS = 2000

interface Deps {
  transfers: RunningTransfers
  addresses: Pick<Addresses, 'best' | 'onChange'>
  events: EventStreams
  reach: Pick<Reach, 'isShared' | 'awaited' | 'onChange'>
  internet: Pick<Internet, 'view' | 'onChange'>
  dataDir: string
  /** Undefined if there is one. */
  listHosts: (() => Promise<NonNullable<Activity['hosts']>>) | undefined
  /** The store of the blobs. Undefined if they are on a disk. */
  store: { readonly problem: NonNullable<Activity['blobs_bucket']>['problem'] } | undefined
}

/** Live state of the host page: active and recent transfers, and free disk space. */
export class LiveActivity {
  #isTelling = false
  #isStale = false
  #isOnBattery = false
  #nextReport: NodeJS.Timeout | undefined

  /** Notifies listeners of changes, at most as fast as the free space can be read. */
  constructor(private readonly deps: Deps) {
    const { events, transfers, addresses, reach, internet } = deps
    events.whileOpen(() => {
      const sources = [transfers, addresses, reach, internet]
      const ends = sources.map((source) => source.onChange(() => this.changed()))
      return () => ends.forEach((end) => end())
    })
  }

  async now(): Promise<Activity> {
    const { transfers, addresses, reach, internet, dataDir, store } = this.deps
    const { way, state, url } = internet.view()
    const { bavail, blocks, bsize } = await statfs(dataDir)

    return {
      sharing: reach.isShared,
      awaited: [...reach.awaited],
      on_battery: this.#isOnBattery,
      reachable: addresses.best() !== undefined,
      internet: way === 'off' ? null : { state, url },
      transfers: transfers.list().slice(0, MAX_LISTED),
      totals: transfers.totals(),
      recent: [...transfers.recent()],
      disk: { free: bavail * bsize, total: blocks * bsize },
      hosts: await this.#listHosts(),
      blobs_bucket: store === undefined ? null : { problem: store.problem },
    }
  }

  async asEvent(): Promise<string> {
    this.#followReports()
    return event('activity', { success: true, activity: await this.now() })
  }

  /** Set by the app: a server cannot read the power source. */
  runsOnBattery(isOnBattery: boolean): void {
    this.#isOnBattery = isOnBattery
    this.changed()
  }

  changed(): void {
    this.#isStale = true
    if (!this.#isTelling && this.deps.events.count > 0) void this.#tell()
  }

  async #listHosts(): Promise<Activity['hosts']> {
    if (this.deps.listHosts === undefined) return null
    let hosts: Activity['hosts'] = []
    const listing = this.deps.listHosts().then((listed) => (hosts = listed))
    await endsWithin(HOSTS_MS, listing).catch(() => false)
    return hosts
  }

  /** Each report of a host is a change, while there are listeners. */
  #followReports(): void {
    if (this.deps.listHosts === undefined || this.#nextReport !== undefined) return
    this.#nextReport = setTimeout(() => {
      this.#nextReport = undefined
      this.changed()
    }, REPORT_MS).unref()
  }

  async #tell(): Promise<void> {
    this.#isTelling = true
    try {
      while (this.#isStale) {
        this.#isStale = false
        this.deps.events.send(await this.asEvent())
      }
    } catch {
      // Failures of the disk are reported elsewhere; the next change retries.
    } finally {
      this.#isTelling = false
    }
  }
}
