import type { AppContext } from './compose/context'
import type { RestoreState } from './contract/host/desktop'
import type { OfferedFile } from './features/local-files/offered-files'
import { problemReport } from './features/host/problem-report'
import type { ProjectEvent } from './features/projects/project-events'
import { localUrl, type Bound, type Listener } from './http/listen/listener'
import { routes } from './contract/routes'
import { EVERYWHERE, HERE } from './network/reach'

/** What the app needs to call one change of a project by its names. */
export interface ProjectDeed extends Pick<ProjectEvent, 'kind'> {
  who: string
  /** Name of the file or of the added person; null: the reader was removed or added. */
  subject: string | null
  /** The title of the project. */
  title: string
}

interface Lifetime {
  /** Where metrics have a port of their own. */
  metricsUrl: string | undefined
  /**
   * What this start recovered, in words; undefined: the last host closed cleanly, or the system
   * shut down.
   */
  recovery: Promise<string | undefined>
  /**
   * Records, before it returns, that the system shuts down and ends this process: the next start
   * finds no crash.
   */
  markShutDown: () => void
  /**
   * Stops accepting requests, lets running ones finish, and flushes the last change to disk. With
   * `downloads`, those that still run continue for `drainMs` after the data folder was released.
   */
  close: (downloads?: { drainMs: number; onReleased: () => void }) => Promise<void>
}

/** A running server, as the app and the command line use it. Its rooms stay inside. */
export class RunningServer implements Lifetime {
  readonly metricsUrl: Lifetime['metricsUrl']
  readonly recovery: Lifetime['recovery']
  readonly markShutDown: Lifetime['markShutDown']
  readonly close: Lifetime['close']
  readonly settings: Pick<AppContext['data']['settings'], 'get' | 'onChange' | 'update'>
  /** Uploads and downloads in progress. */
  readonly transfers: Pick<AppContext['transfers']['running'], 'count' | 'onChange' | 'totals'>
  /** The way from the internet. */
  readonly internet: Pick<AppContext['network']['internet'], 'view' | 'onChange'>
  readonly #context: AppContext
  readonly #listener: Listener

  constructor(context: AppContext, listener: Listener, lifetime: Lifetime) {
    this.#context = context
    this.#listener = listener
    this.metricsUrl = lifetime.metricsUrl
    this.recovery = lifetime.recovery
    this.markShutDown = lifetime.markShutDown
    this.close = lifetime.close
    this.settings = context.data.settings
    this.transfers = context.transfers.running
    this.internet = context.network.internet
  }

  /** The address to open on this computer, without a trailing slash. */
  get url(): string {
    return localUrl(this.#listener.bound())
  }

  bound(): Bound {
    return this.#listener.bound()
  }

  /** The address for other devices; undefined: none reach this host. */
  get address(): string | undefined {
    return this.#context.network.addresses.best()
  }

  /** Whether the host is shared on its networks, also while no chosen address is available. */
  get isShared(): boolean {
    return this.#context.network.reach.isShared
  }

  /** The chosen addresses while this computer has none of them; else empty. */
  get awaitedAddresses(): readonly string[] {
    return this.#context.network.reach.awaited
  }

  get hasHostAccount(): boolean {
    return this.#context.accounts.users.hasHost
  }

  /**
   * A new secret address to create the host account; earlier ones are void. Undefined if there is
   * one.
   */
  setupUrl(): string | undefined {
    return this.hasHostAccount
      ? undefined
      : `${this.url}/register?setup=${this.#context.accounts.setupLink.renew()}`
  }

  /**
   * A new address on this computer that sets a new password of the host account, for the person at
   * it. Undefined if there is no host account yet.
   */
  async hostPasswordPath(): Promise<string | undefined> {
    const { users, audit } = this.#context.accounts
    const { hostId } = users
    if (hostId === undefined) return undefined

    const { token } = await users.createPasswordLink(hostId)
    audit.recordHost({ kind: 'password_link_create', concerns: hostId })
    return `${routes.newPassword}?link=${token}`
  }

  /**
   * Resolves when the disk returns or another Slipway took the folder. Then restart: open files may
   * be lost.
   */
  async dataIsBack(): Promise<'disk_is_back' | 'taken_over'> {
    const { presence, held } = this.#context.data
    await presence.isBack
    return held.isTaken ? 'taken_over' : 'disk_is_back'
  }

  /** Why nothing can be saved now, as a contract code; null: saving works. */
  trouble() {
    return this.#context.data.trouble()
  }

  /**
   * Listens on another address; running transfers finish. See `Reach.listen`. Throws ListenError.
   */
  listen(host: string, port: number, only?: readonly string[]): Promise<Bound> {
    return this.#context.network.reach.listen(host, port, only)
  }

  /**
   * Shares the host on its networks, or with this computer only, now and at the next start. Throws
   * ListenError.
   */
  async share(isOn: boolean): Promise<void> {
    const host = isOn ? EVERYWHERE : HERE
    await this.listen(host, this.bound().port, this.settings.get().shared_addresses)
    await this.settings.update({ host })
  }

  /** Calls back when the addresses of the host or who can reach them change. */
  onReachChange(listener: () => void): void {
    const { addresses, reach, internet } = this.#context.network
    for (const source of [addresses, reach, internet]) source.onChange(listener)
  }

  /** Checks the addresses and the router now, because the computer woke up. */
  checkNetwork(): void {
    const { network, host } = this.#context
    const { addresses, internet } = network
    addresses
      .look()
      .catch((err: unknown) => host.log.warn({ err }, 'cannot read the addresses of this computer'))
    internet
      .look()
      .catch((err: unknown) =>
        host.log.warn({ err }, 'cannot check the connection from the internet'),
      )
  }

  /** Opens the host to the internet, by a command. Throws AppError. */
  async openToInternet(
    ...request: Parameters<AppContext['network']['internet']['open']>
  ): Promise<void> {
    const { network, accounts } = this.#context
    await network.internet.open(...request)
    accounts.audit.recordCommand({ kind: 'internet_open', subject: request[0].way })
  }

  /** Stops sharing with the internet, at the computer. */
  async closeToInternet(): Promise<void> {
    const { network, accounts, host } = this.#context
    const { way } = network.internet.view()
    if (way === 'off') return
    try {
      await network.internet.close()
      accounts.audit.recordHost({ kind: 'internet_close', subject: way })
    } catch (err) {
      host.log.error({ err }, 'cannot stop sharing with the internet')
    }
  }

  /** Shows on the Host page whether the computer runs on battery. */
  runsOnBattery(isOn: boolean): void {
    this.#context.host.activity.runsOnBattery(isOn)
  }

  /** Returns an id by which a page can publish a file of this computer, once. */
  offerFile(file: OfferedFile): string {
    return this.#context.transfers.offeredFiles.offer(file)
  }

  /** Returns a token by which a page can watch a folder of this computer. */
  offerFolder(path: string): string {
    return this.#context.watching.chosenFolders.offer(path)
  }

  /** Lets people move the data folder; `mover` switches to the copy. */
  moveDataWith(mover: Parameters<AppContext['host']['dataFolder']['attend']>[0]): void {
    this.#context.host.dataFolder.attend(mover)
  }

  /** What a backup has, and where it would be restored. Throws readable messages. */
  planRestore(source: string): ReturnType<AppContext['host']['dataFolder']['planRestore']> {
    return this.#context.host.dataFolder.planRestore(source)
  }

  /** Starts to restore a backup, for the person at this computer. Throws like `planRestore`. */
  async startRestore(source: string): Promise<void> {
    await this.#context.host.dataFolder.startRestore(source, !this.hasHostAccount)
  }

  /** The change of the data folder that runs, and why the last one failed. */
  async restoreState(): Promise<RestoreState> {
    const { move, failure } = await this.#context.host.dataFolder.shown()
    return { move, failure }
  }

  problemReport(facts: Parameters<typeof problemReport>[1]): Promise<string> {
    return problemReport(this.#context, facts)
  }

  /** Calls back for each build that a watched folder published, or failed to publish. */
  onBuild(listener: Parameters<AppContext['watching']['folders']['onNews']>[0]): void {
    this.#context.watching.folders.onNews(listener)
  }

  /** Calls back for each saved change of a project; the listener must not throw. */
  onProjectChange(listener: (event: ProjectEvent) => void): void {
    this.#context.projects.events.subscribe(listener)
  }

  /**
   * Whether an account may learn of a change. A removed collaborator has no role left, and gets
   * only the removal.
   */
  concerns({ kind, subjectId, project }: ProjectEvent, userId: string): boolean {
    if (kind === 'removal') return subjectId === userId
    return (
      this.#context.projects.resolveRole(
        { kind: 'user', userId, credential: 'session' },
        project,
      ) !== null
    )
  }

  /**
   * The current names in a change, for an account; undefined: the project was deleted, or concerns
   * it no longer.
   */
  describe(event: ProjectEvent, readerId: string): ProjectDeed | undefined {
    const { kind, project, userId, subjectId } = event
    const { users } = this.#context.accounts
    const current = this.#context.projects.store.find(project.id)
    if (!current || !this.concerns({ ...event, project: current }, readerId)) return undefined
    const id = subjectId ?? ''
    const name =
      kind === 'file'
        ? (this.#context.files.store.find(id)?.filename ?? 'a file')
        : users.nameOf(id)
    return {
      kind,
      who: users.nameOf(userId),
      subject: kind !== 'file' && id === readerId ? null : name,
      title: kind === 'removal' ? project.title : current.title,
    }
  }
}
