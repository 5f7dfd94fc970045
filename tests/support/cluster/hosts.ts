import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinCluster, type ClusterPlaces } from '../../../server/cluster/join-cluster'
import { SECRETS } from '../../../server/data/settings/secrets'
import { register, type Place } from '../world/place'
import { freePort } from '../../../scripts/dev/free-port'
import { Host, until } from '../world/process'
import { placesFor } from './places'

/** How long a supervisor waits before it starts a host again, in ms. */
const RESTART_MS = 100
/** More than clients make in the full form of a test. */
const MOST_POSTS = 100_000

/** Where a host runs, and by which line it reaches its database and its bucket. */
export interface HostLine {
  /** The address of PostgreSQL, if it differs. */
  database?: string
  /** The words before a command that make it run there, and options of the server. */
  under?: string[]
  also?: string[]
  /** Where tests reach it. */
  url?: string
  /** Where the other hosts reach it; default: a free port of loopback. */
  peerAddress?: string
  /** Where it reaches the bucket, if that differs. */
  endpoint?: string
}

/** What the library has before it moves: entries of its `settings.json` and `secrets.json`. */
interface Prepared {
  settings?: object
  secrets?: object
}

/** Hosts of one cluster, each started again when it ends, as systemd would. */
export class ClusterHosts {
  readonly #hosts: Supervised[] = []

  private constructor(
    /** A folder of the test, with the data folders of the hosts. */
    readonly base: string,
    /** PostgreSQL, the bucket and the secret. */
    readonly places: ClusterPlaces,
    /** An account at the hosts; its `url` is of the first. */
    readonly place: Place,
  ) {}

  /**
   * Moves a library with an account into a cluster, and starts `names`, each on its line, if it has
   * one.
   */
  static async start(
    database: string,
    names: readonly string[],
    lines: readonly HostLine[] = [],
    { settings = {}, secrets = {} }: Prepared = {},
  ): Promise<ClusterHosts> {
    const places = await placesFor(database)
    const base = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
    const dir = join(base, 'data')
    await mkdir(dir, { mode: 0o700 })
    const all = { posts_per_account: MOST_POSTS, ...settings }
    await writeFile(join(dir, 'settings.json'), JSON.stringify(all), { mode: 0o600 })
    const alone = await Host.start(dir)
    const place = await register(alone)
    await alone.stop()
    const kept = JSON.parse(await readFile(join(dir, SECRETS), 'utf8')) as object
    await writeFile(join(dir, SECRETS), JSON.stringify({ ...kept, ...secrets }))
    await joinCluster(dir, places)
    const cluster = new ClusterHosts(base, places, place)
    await rename(dir, cluster.folder(names[0]!))
    for (const [index, host] of names.entries()) {
      const { bucket } = places
      const {
        database: own = database,
        peerAddress,
        endpoint = bucket.endpoint,
      } = lines[index] ?? {}
      const address = peerAddress ?? `127.0.0.1:${await freePort()}`
      const more = { postgres: own, host, address, bucket: { ...bucket, endpoint } }
      const file = await cluster.writeFile(host, more)
      cluster.#hosts.push(
        new Supervised(cluster.folder(host), file, await freePort(), lines[index]),
      )
    }
    return cluster
  }

  /** The data folder of a host. */
  folder(name: string): string {
    return join(this.base, name)
  }

  /** Writes a file for --cluster, and returns its path. */
  async writeFile(name: string, more: object = {}): Promise<string> {
    const path = join(this.base, `${name}.json`)
    const content = { ...this.places, host: name, address: '127.0.0.1:1', ...more }
    await writeFile(path, JSON.stringify(content), { mode: 0o600 })
    return path
  }

  get urls(): string[] {
    return this.#hosts.map(({ url }) => url)
  }

  at(index: number): Place {
    return { ...this.place, url: this.#hosts[index]!.url }
  }

  host(index: number): Host {
    return this.#hosts[index]!.host
  }

  /** The host that makes changes now; undefined: none does. */
  async primary(): Promise<number | undefined> {
    const states = await Promise.all(this.urls.map((url) => isServing(url, '?primary')))
    const index = states.indexOf(true)
    return index < 0 ? undefined : index
  }

  /**
   * Resolves once each host answers: one is the primary, which has cut what it answered as a
   * replica, the others read.
   */
  async untilAllServe(): Promise<void> {
    const areServing = (query = '') => Promise.all(this.urls.map((url) => isServing(url, query)))
    await until(
      async () =>
        (await areServing('?primary')).includes(true) && !(await areServing()).includes(false),
    )
  }

  async untilServing(): Promise<number> {
    await until(async () => (await this.primary()) !== undefined)
    return (await this.primary()) ?? this.untilServing()
  }

  /** Stops all of them in order, for good. */
  async stop(): Promise<void> {
    await Promise.all(this.#hosts.map((it) => it.stop()))
  }

  async end(): Promise<void> {
    await Promise.all(this.#hosts.map((it) => it.end()))
    await rm(this.base, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function isServing(url: string, query = ''): Promise<boolean> {
  return fetch(`${url}/api/health${query}`, { signal: AbortSignal.timeout(1000) }).then(
    (reply) => reply.ok,
    () => false,
  )
}

class Supervised {
  host: Host
  #isOver = false

  constructor(
    private readonly dir: string,
    private readonly file: string,
    private readonly port: number,
    private readonly line: HostLine = {},
  ) {
    this.host = this.#start()
  }

  get url(): string {
    return this.line.url ?? `http://127.0.0.1:${this.port}`
  }

  async end(): Promise<void> {
    this.#isOver = true
    this.host.process.kill('SIGCONT')
    await this.host.kill()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.host.stop()
  }

  #start(): Host {
    const { under = [], also = [] } = this.line
    const words = ['--port', String(this.port), ...also, '--cluster', this.file]
    const host = Host.spawn(this.dir, { under, also: words })
    void host.ended.then(() => {
      if (!this.#isOver)
        setTimeout(() => (this.host = this.#isOver ? this.host : this.#start()), RESTART_MS)
    })
    return host
  }
}
