import { statfs } from 'node:fs/promises'
import type { Activity } from '../../contract'
import { event, type EventStreams } from '../../http/endpoint/event-stream'
import type { RunningTransfers } from '../../http/transfers/running-transfers'
import type { Addresses } from '../../network/addresses'
import type { Reach } from '../../network/reach'

const MAX_LISTED = 100

interface Needs {
  transfers: RunningTransfers
  addresses: Pick<Addresses, 'best' | 'onChange'>
  events: EventStreams
  reach: Pick<Reach, 'isShared' | 'awaited' | 'onChange'>
  dataDir: string
}

/** What the host page shows live: who transfers what, what has ended, and how much room is left. */
export class LiveActivity {
  #isTelling = false
  #isStale = false
  #isOnBattery = false

  /** Whoever listens hears of every change, as fast as the disk tells its free room and no faster. */
  constructor(private readonly needs: Needs) {
    needs.transfers.onChange(() => this.changed())
    needs.addresses.onChange(() => this.changed())
    needs.reach.onChange(() => this.changed())
  }

  async now(): Promise<Activity> {
    const { transfers, addresses, reach, dataDir } = this.needs
    const { bavail, blocks, bsize } = await statfs(dataDir)
    return {
      sharing: reach.isShared,
      awaited: [...reach.awaited],
      on_battery: this.#isOnBattery,
      reachable: addresses.best() !== undefined,
      transfers: transfers.list().slice(0, MAX_LISTED),
      totals: transfers.totals(),
      recent: [...transfers.recent()],
      disk: { free: bavail * bsize, total: blocks * bsize },
    }
  }

  /** The event for one who begins to listen, and for all when something has changed. */
  async asEvent(): Promise<string> {
    return event('activity', { success: true, activity: await this.now() })
  }

  /** The app knows whether the computer runs on its battery; a host without one does not. */
  runsOnBattery(isOnBattery: boolean): void {
    this.#isOnBattery = isOnBattery
    this.changed()
  }

  /** Tells those who listen; nobody does: nothing is worked out. */
  changed(): void {
    this.#isStale = true
    if (!this.#isTelling && this.needs.events.count > 0) void this.#tell()
  }

  async #tell(): Promise<void> {
    this.#isTelling = true
    try {
      while (this.#isStale) {
        this.#isStale = false
        this.needs.events.send(await this.asEvent())
      }
    } catch {
      // A disk that cannot be asked is told of by what fails on it; the next change tries again.
    } finally {
      this.#isTelling = false
    }
  }
}
