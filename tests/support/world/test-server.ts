import type { Client } from '../../../renderer/lib/client/api-client'
import { createClient } from '../network/client'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import type { Deps, RunningServer, ServerConfig } from '../../../server/index'
import { collectionNames } from '../../../server/data/library/library-data'
import { readLibrary } from '../../../server/data/library/read-library'
import { recordSchemas } from '../../../server/data/records/records'
import { noNetwork } from '../network/small-routers'
import { Browser } from '../system/browser'
import { isThreeHosts, startThree } from '../cluster/three-hosts'
import { sharedMaker, sharedReader } from '../system/shared-reader'
import { startInside, type Inside } from './inside'
import { PASSWORD } from './password'
import type { TestClock } from './test-clock'
import type { TestLog } from './test-log'
import type { UserRecord } from '../../../server/data/records/account-records'

export const WINDOW_SECRET = 'the secret of the app window'

type Config = Pick<ServerConfig, 'dataDir' | 'uiDir'> & Partial<ServerConfig>

interface Around {
  clock: TestClock
  log: TestLog
  /** The routers that it finds. */
  routers?: Deps['routers']
}

/** A signed-in user. */
export interface Person {
  client: Client
  browser: Browser
}

/** How people reach it; `close` ends that, too. */
interface Door {
  url?: string
  ask: typeof fetch
  readLibrary?: typeof readLibrary
  close?: () => Promise<void>
}

/** A server for one test, on its own data folder, and its users over real HTTP. */
export class TestServer {
  readonly #keys = new Map<string, Promise<string>>()
  readonly #later: TestServer[] = []
  #closing: Promise<void> | undefined

  private constructor(
    private readonly running: RunningServer,
    readonly inside: Inside,
    private readonly config: Config,
    private readonly around: Around,
    private readonly door: Door = { ask: fetch },
  ) {}

  /**
   * Starts the server on a data folder: at the loopback address, without rate limits and without a
   * network around it.
   */
  static async start(config: Config, around: Around): Promise<TestServer> {
    const standard = {
      host: '127.0.0.1',
      port: 0,
      version: '1.2.3',
      rateLimits: false,
      checkReplies: true,
      // On a slow machine the host would find the hollow files of tests damaged.
      idleLookMs: 3_600_000,
    }
    const packages = config.packageReader ? undefined : sharedReader
    const { clock: sources, log, routers = noNetwork } = around
    const deps = { sources, log, packages, routers, pictureMaker: sharedMaker }
    if (isThreeHosts) {
      const { running, inside, ...balancer } = await startThree({ ...standard, ...config }, deps)
      return new TestServer(running, inside, config, around, { ...balancer, ask: fetch })
    }
    const { running, inside } = await startInside({ ...standard, ...config }, deps)
    return new TestServer(running, inside, config, around)
  }

  /**
   * Starts it again on the same folder after `close`, or another one that differs in these options;
   * `end` closes it.
   */
  async restart(changes: Partial<ServerConfig> = {}): Promise<TestServer> {
    const again = await TestServer.start({ ...this.config, ...changes }, this.around)
    this.#later.push(again)
    return again
  }

  /** Closes it and all that `restart` has started, before their folders are removed. */
  async end(): Promise<void> {
    await Promise.all([this.close(), ...this.#later.map((server) => server.end())])
  }

  get dataDir(): string {
    return this.config.dataDir
  }

  /** What backups and `verify` read, wherever it is. */
  get stored() {
    return { read: this.readLibrary, blobs: this.inside.blobs }
  }

  /** Reads the library of the data folder, wherever it is. */
  get readLibrary(): typeof readLibrary {
    return this.door.readLibrary ?? readLibrary
  }

  get clock(): TestClock {
    return this.around.clock
  }

  get log(): TestLog {
    return this.around.log
  }

  get url(): string {
    return this.door.url ?? this.running.url
  }

  /** The same server, for people who reach it at this address in their own way. */
  through(url: string, ask: typeof fetch): TestServer {
    return new TestServer(this.running, this.inside, this.config, this.around, {
      ...this.door,
      url,
      ask,
    })
  }

  get port(): number {
    return this.inside.bound().port
  }

  /** Where metrics have a port of their own. */
  get metricsUrl(): string | undefined {
    return this.running.metricsUrl
  }

  /** The user of this name, who exists. */
  user(username: string): UserRecord {
    const user = this.inside.users.byName(username)
    if (!user) throw new Error(`There is no user ${username}`)
    return user
  }

  /** A new setup link; undefined: there is a host account. */
  setupUrl(): string | undefined {
    return this.running.setupUrl()
  }

  /** Fetches a path without any credentials. */
  fetch = (path: string, init?: RequestInit): Promise<Response> =>
    this.door.ask(this.url + path, init)

  /** The typed client, without any credentials. */
  visitor(): Client {
    return createClient(this.url, { fetch: this.door.ask })
  }

  /** The typed client with an API key of this user. */
  as(user: UserRecord): Client {
    return createClient(this.url, { fetch: this.fetchAs(user) })
  }

  /** Fetches a path (or a whole address) with an API key of this user. */
  fetchAs(user: UserRecord) {
    return async (to: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(init.headers)
      headers.set('x-api-key', await this.keyOf(user))
      return this.door.ask(new URL(to instanceof Request ? to.url : to, this.url), {
        ...init,
        headers,
      })
    }
  }

  /** An API key of this user; always the same one. */
  keyOf(user: UserRecord): Promise<string> {
    const made =
      this.#keys.get(user.id) ??
      this.inside.apiKeys.create(user.id, 'tests', null).then(({ key }) => key)
    this.#keys.set(user.id, made)
    return made
  }

  /** The typed client and the browser of a signed-in user. */
  signedIn(user: UserRecord): Promise<Person> {
    return this.#signIn(user, new Browser(this.url, {}, this.door.ask))
  }

  /** The same at the app window of the machine. */
  async atWindow(user: UserRecord): Promise<Person> {
    if (isThreeHosts) return this.#managing(user)
    return this.#signIn(
      user,
      new Browser(this.url, { [WINDOW_HEADER]: WINDOW_SECRET }, this.door.ask),
    )
  }

  /**
   * Without a window, as in a cluster: the host account by a link of `slipway manage`, others as
   * ever.
   */
  async #managing(user: UserRecord): Promise<Person> {
    const person = await this.signedIn(user)
    if (user.isHost) await person.client.manage.begin({ link: this.inside.manageLinks.make() })
    return person
  }

  listen(host: string, port: number): Promise<unknown> {
    return this.running.listen(host, port)
  }

  /** May be called more than once. */
  async close(): Promise<void> {
    const problem = findInvalidRecord(this.inside.library)
    this.#closing ??= this.door.close?.() ?? this.running.close()
    await this.#closing
    if (problem !== undefined) throw new Error(problem)
  }

  async #signIn(user: UserRecord, browser: Browser): Promise<Person> {
    const client = createClient(this.url, { fetch: browser.fetch })
    await client.accounts.login({ username: user.username, password: PASSWORD })
    return { client, browser }
  }
}

/** Describes a record that a restore of this library would refuse. */
function findInvalidRecord(library: Inside['library']): string | undefined {
  for (const name of collectionNames)
    for (const record of library.collection(name).values()) {
      const { error } = recordSchemas[name].safeParse(record)
      if (error) return `An invalid record of ${name}: ${error.message}`
    }
  return undefined
}
