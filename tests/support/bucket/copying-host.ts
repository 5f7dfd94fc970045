import { performance } from 'node:perf_hooks'
import { expect } from 'vitest'
import { MB } from '../../../server/contract'
import type { BucketView } from '../../../server/contract/host/bucket'
import { bucketProblemTexts } from '../../../server/texts/host/bucket-texts'
import type { BucketPlace, BucketKeys } from '../../../server/data/bucket/bucket-choice'
import { proxyFromOutside, trustsProxy } from '../network/from-outside'
import { TestClock } from '../world/test-clock'
import { test as base } from '../world/http'
import type { TestServer } from '../world/test-server'
import type { Engine } from './engine'
import { anOwner, sha256Of, type Owned } from './copied-files'

/** A clock that runs, and that a test advances further. */
class RunningClock extends TestClock {
  constructor() {
    super()
    const began = performance.now()
    const passed = () => Math.floor(performance.now() - began)
    const stopped = { now: this.now, elapsed: this.elapsed }
    this.now = () => new Date(stopped.now().getTime() + passed())
    this.elapsed = () => stopped.elapsed() + passed()
  }
}

/** A host whose public files are copied to a bucket, as its visitors from outside see it. */
export class BucketHost {
  readonly #sha256 = new Map<string, string>()

  private constructor(
    readonly server: TestServer,
    private readonly owned: Owned,
    /** Its address for people outside. */
    private readonly url: string,
    readonly close: () => Promise<unknown>,
  ) {}

  static async open(server: TestServer): Promise<BucketHost> {
    const { url, close } = await proxyFromOutside(server.port)
    return new BucketHost(server, await anOwner(server), url, close)
  }

  get #publicCopies() {
    return this.server.inside.publicCopies
  }

  view = (): BucketView => this.#publicCopies.view()

  /** What people read about the problem; undefined: there is none. */
  words(): string | undefined {
    const { problem } = this.view()
    if (problem === null) return undefined
    const { line, effect } = bucketProblemTexts(problem, () => '14:02')
    return `${line} ${effect}`
  }

  setUp(choice: BucketPlace, keys: BucketKeys): Promise<void> {
    return this.#publicCopies.setUp(
      { ...choice, least_bytes: MB, seconds: 3600, bytes_per_second: null },
      keys,
    )
  }

  verify = (readData: boolean): Promise<void> => this.#publicCopies.verify(readData)

  /** Publishes a file of random bytes, and returns its id. */
  async publish(size = 2 * MB): Promise<string> {
    const { id, sha256 } = await this.owned.file(size)
    this.#sha256.set(id, sha256)
    return id
  }

  /** What marks its copies. */
  get id(): string {
    return this.server.inside.users.hostId ?? ''
  }

  blobIdOf = (fileId: string): string => this.server.inside.files.find(fileId)?.blobId ?? ''

  /** Waits until each public file has its copy. */
  async allCopied(): Promise<void> {
    await expect.poll(() => this.view().copies.there).toBe(this.#sha256.size)
  }

  /**
   * Downloads as a browser from outside does. Returns where the bytes came from; they are right.
   */
  async download(fileId: string): Promise<'host' | 'bucket'> {
    const reply = await this.#ask(fileId)
    const location = reply.headers.get('location')
    await this.#requireWhole(fileId, location === null ? reply : await fetch(location))
    return location === null ? 'host' : 'bucket'
  }

  /** Downloads until the bucket sends it: the store may be too late for a visitor. */
  async redirected(fileId: string): Promise<void> {
    await expect.poll(() => this.download(fileId)).toBe('bucket')
  }

  /**
   * The address to which a visitor from outside is redirected now; undefined: the host sends the
   * file.
   */
  async redirectOf(fileId: string): Promise<string | undefined> {
    const reply = await this.#ask(fileId)
    await reply.body?.cancel()
    return reply.headers.get('location') ?? undefined
  }

  /** Downloads from the host itself, as "Trouble downloading?" does. */
  async downloadFromHost(fileId: string): Promise<void> {
    await this.#requireWhole(fileId, await this.#ask(fileId, '?from=host'))
  }

  #ask(fileId: string, query = ''): Promise<Response> {
    return fetch(`${this.url}/api/files/${fileId}/download${query}`, { redirect: 'manual' })
  }

  async #requireWhole(fileId: string, reply: Response): Promise<void> {
    expect([reply.status, await sha256Of(reply)]).toEqual([200, this.#sha256.get(fileId)])
  }
}

/**
 * Sets up a bucket and publishes one file, which visitors then get from the bucket. Returns its id.
 */
export async function copyFile(
  host: BucketHost,
  { keys }: Engine,
  choice: BucketPlace,
): Promise<string> {
  await host.setUp(choice, keys)
  const fileId = await host.publish()
  await host.allCopied()
  await host.redirected(fileId)
  return fileId
}

/** `test` with such a host. */
export const test = base
  .extend({ config: trustsProxy })
  .extend<{ clock: TestClock; host: BucketHost }>({
    clock: async ({}, use) => use(new RunningClock()),
    host: async ({ server }, use) => {
      const host = await BucketHost.open(server)
      await use(host)
      await host.close()
    },
  })
