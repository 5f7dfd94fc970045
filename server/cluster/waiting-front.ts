import type { ClusterFile } from './cluster-file'
import type { FolderPlace, OwnFolder } from './folder/own-folder'
import { Replica } from './replica'
import type { Log } from '../core/logging/log'
import { Serial } from '../core/serial'
import type { WaitReason } from '../data/postgres/candidate'
import { PostgresError } from '../data/postgres/postgres-error'
import { SCHEMA } from '../data/library/schema'
import type { HostRole } from './host-role'
import { replicaRole } from './roles'
import { standBy, type Standby, type StandbyPlace } from './standby'

/** The rest is in its log. */
const PROBLEM = 'its database or its data folder cannot be used now'
/** How long downloads of a replica continue after its process became the primary, in ms. */
const DOWNLOADS_MS = 15 * 60_000

/** The server of this host. */
export interface HostServer {
  readonly transfers: { totals: () => { uploads: number; downloads: number } }
  close: (downloads: { drainMs: number; onReleased: () => void }) => Promise<void>
}

export interface WaitingOptions {
  config: FolderPlace & StandbyPlace & { version: string }
  log: Log
  /** Starts a server that reads. */
  serveReads: (role: HostRole, host: string) => Promise<HostServer>
}

/** The place of a host that waits. */
interface WaitingPlace {
  file: ClusterFile
  /** The cluster. */
  id: string
  own: OwnFolder
  /** Runs when the replica has closed and this process does not become the primary. */
  onClosed: () => Promise<void>
}

/**
 * What answers at the address of a host that waits for the lease of its cluster: a replica, or
 * words.
 */
export class WaitingFront {
  #reason: WaitReason = { words: '', isProblem: false }
  #standing: Standby | undefined
  #replica: Replica | undefined
  #server: HostServer | undefined
  #lease: { seq: number } | undefined
  #isChanging = false
  #isOver = false
  readonly #changes = new Serial()
  readonly #failing = Promise.withResolvers<never>()

  constructor(
    private readonly options: WaitingOptions,
    private readonly place: WaitingPlace,
  ) {
    this.failure.catch(() => undefined)
  }

  /** Rejects if this host can neither read nor wait. */
  get failure(): Promise<never> {
    return this.#failing.promise
  }

  /** What this host reports to the others. */
  state() {
    const role = this.#lease
      ? ('primary' as const)
      : this.#server
        ? ('replica' as const)
        : ('waiting' as const)
    const { uploads, downloads } = this.#server?.transfers.totals() ?? { uploads: 0, downloads: 0 }
    return { role, seq: (this.#lease ?? this.#replica)?.seq ?? 0, transfers: uploads + downloads }
  }

  /** Answers, while this host waits for this reason. */
  show(reason: WaitReason): void {
    const isNews = reason.words !== this.#reason.words
    this.#reason = reason
    if (isNews && this.#isAnswering) console.log(`${this.place.file.host} waits: ${reason.words}`)
    if (this.#isChanging) return
    this.#isChanging = true
    this.#changes
      .run(() => this.#answer())
      .catch((error: unknown) => this.#failing.reject(error))
      .finally(() => (this.#isChanging = false))
  }

  becomes(lease: { seq: number }): void {
    this.#lease = lease
  }

  serves(server: HostServer): void {
    this.#server = server
  }

  /** Stops answering, but lets running downloads continue. */
  end(): Promise<void> {
    return this.#changes.run(async () => {
      this.#isOver = true
      await this.#standing?.close()
      const server = this.#replica && this.#server
      if (!server) return
      await new Promise<void>((onReleased, reject) => {
        server.close({ drainMs: DOWNLOADS_MS, onReleased }).catch(reject)
      })
    })
  }

  get #isAnswering(): boolean {
    return this.#standing !== undefined || this.#server !== undefined
  }

  async #answer(): Promise<void> {
    if (this.#isOver || this.#server) return
    if (!this.#reason.isProblem && (await this.#read())) return
    this.#standing ??= await this.#standBy()
  }

  /** False: not now. */
  async #read(): Promise<boolean> {
    const { options, place } = this
    const { file, id, own } = place
    const { postgres, host, secret } = file
    let replica: Replica
    try {
      replica = await Replica.open({
        postgres,
        host,
        secret,
        id,
        schema: SCHEMA,
        log: options.log,
        files: own.content.files,
      })
    } catch (cause) {
      if (cause instanceof PostgresError && cause.mayPass) return false
      throw cause
    }
    await this.#standing?.close()
    this.#standing = undefined
    void replica.lost.then((error) => this.#failing.reject(error))
    this.#replica = replica
    const role = replicaRole(replica, { own, onClosed: () => this.#leave() })
    this.#server = await options.serveReads(role, host)
    return true
  }

  async #leave(): Promise<void> {
    if (!this.#isOver) await this.place.onClosed()
  }

  async #standBy(): Promise<Standby> {
    const words = () => `Try another one: ${this.#reason.isProblem ? PROBLEM : this.#reason.words}`
    const standing = await standBy(this.options.config, words)
    console.log(`${this.place.file.host} stands by at ${standing.url}: ${this.#reason.words}`)
    return standing
  }
}
