import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClusterFile } from '../../../server/cluster/cluster-file'
import { joinCluster } from '../../../server/cluster/join-cluster'
import { register, type Place } from '../world/place'
import { freePort } from '../../../scripts/dev/free-port'
import { Host, until } from '../world/process'

/** How long a supervisor waits before it starts a host again, in ms. */
const RESTART_MS = 100
/** More than clients make in the full form of a test. */
const MOST_POSTS = 100_000

/** Where a host runs, and by which line it reaches its engine. */
export interface HostLine {
  /** The address of the engine, if it differs. */
  engine?: string
  /** The words before a command that make it run there, and options of the server. */
  under?: string[]
  also?: string[]
  /** Where tests reach it. */
  url?: string
  /** Its own data folder, if they do not share one. */
  data?: string
  /** With it, hosts that wait answer reads. */
  secret?: string
  /** The bucket with the bytes. */
  bucket?: ClusterFile['bucket']
}

/**
 * Hosts of one cluster, on one data folder if they have none of their own, each started again when
 * it ends, as systemd would.
 */
export class ClusterHosts {
  readonly #hosts: Supervised[] = []

  private constructor(
    readonly dir: string,
    /** An account at the hosts; its `url` is of the first. */
    readonly place: Place,
  ) {}

  /**
   * Moves a library with an account into the engine, and starts `names`, each on its line, if it
   * has one.
   */
  static async start(
    engine: string,
    names: readonly string[],
    lines: readonly HostLine[] = [],
    moveIn: (dir: string) => Promise<unknown> = (dir) => joinCluster(dir, engine),
  ): Promise<ClusterHosts> {
    const base = await mkdtemp(join(tmpdir(), 'slipway-cluster-'))
    const dir = join(base, 'data')
    await mkdir(dir, { mode: 0o700 })
    await writeFile(join(dir, 'settings.json'), JSON.stringify({ posts_per_account: MOST_POSTS }), {
      mode: 0o600,
    })
    const alone = await Host.start(dir)
    const place = await register(alone)
    await alone.stop()
    await moveIn(dir)
    const cluster = new ClusterHosts(dir, place)
    for (const [index, name] of names.entries()) {
      const file = join(base, `${name}.json`)
      const { secret, bucket, engine: own = engine } = lines[index] ?? {}
      const peers = secret === undefined ? {} : { secret, address: `127.0.0.1:${await freePort()}` }
      await writeFile(file, JSON.stringify({ engine: own, host: name, ...peers, bucket }), {
        mode: 0o600,
      })
      cluster.#hosts.push(
        new Supervised(lines[index]?.data ?? dir, file, await freePort(), lines[index]),
      )
    }
    return cluster
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

  /** The host that serves now; undefined: none does. */
  async writer(): Promise<number | undefined> {
    const states = await Promise.all(this.urls.map((url) => isServing(url)))
    const index = states.indexOf(true)
    return index < 0 ? undefined : index
  }

  /**
   * Resolves once each host answers: one is the writer, which has cut what it answered as a reader,
   * the others read.
   */
  async untilAllServe(): Promise<void> {
    const areServing = (query = '') => Promise.all(this.urls.map((url) => isServing(url, query)))
    await until(
      async () =>
        (await areServing('?writer')).includes(true) && !(await areServing()).includes(false),
    )
  }

  /** Resolves once this host is the writer, and has cut what it answered as a reader. */
  async untilWriter(index: number): Promise<void> {
    await until(() => isServing(this.urls[index]!, '?writer'))
  }

  async untilServing(): Promise<number> {
    await until(async () => (await this.writer()) !== undefined)
    return (await this.writer()) ?? this.untilServing()
  }

  /** Stops all of them in order, for good. */
  async stop(): Promise<void> {
    await Promise.all(this.#hosts.map((it) => it.stop()))
  }

  async end(): Promise<void> {
    await Promise.all(this.#hosts.map((it) => it.end()))
    await rm(join(this.dir, '..'), { recursive: true, force: true, maxRetries: 5 })
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
