import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readClusterStatus } from '../../../server/cluster/cluster-status'
import { noEngine, withEngine } from '../../support/bucket/engine'
import { sha256Of } from '../../support/bucket/copied-files'
import type { ClusterHosts } from '../../support/cluster/hosts'
import { startInBucket, type BucketCluster } from '../../support/cluster/in-bucket'
import { offsetOf, TusClient } from '../../support/network/tus'
import { until } from '../../support/world/process'
import { clientAt, fetchAt } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { sha256 } from '../../support/system/sha256'

const ROUNDS = rounds(60, 2)
const MIB = 1024 * 1024
/** Two parts and a bit. */
const SIZE = 40 * MIB + 123

let cluster: BucketCluster
let hosts: ClusterHosts
beforeAll(async () => {
  if (noEngine !== undefined) return
  cluster = await startInBucket()
  hosts = cluster.hosts
})
afterAll(async () => {
  if (noEngine === undefined) await cluster.end()
})

const findWriter = async () =>
  cluster.names.indexOf((await readClusterStatus(cluster.database)).primary ?? '')

/** An upload of random bytes, sent to any host. */
class Upload {
  readonly bytes = randomBytes(SIZE)
  offset = 0

  private constructor(private readonly address: string) {}

  static async begin(): Promise<Upload> {
    return new Upload(await new TusClient(fetchAt(hosts.at(0))).begin(SIZE))
  }

  get isComplete(): boolean {
    return this.offset === this.bytes.length
  }

  /** Returns how many bytes the host has acknowledged. */
  async send(host: number, length = Infinity): Promise<number> {
    const body = this.bytes.subarray(this.offset, this.offset + length)
    const reply = await this.#at(host)
      .patch(this.address, this.offset, body)
      .catch(() => undefined)
    return reply?.ok === true ? Number(reply.headers.get('upload-offset')) : this.offset
  }

  /** Asks where to go on until a host knows. */
  async resume(host: number): Promise<void> {
    await until(async () => {
      const offset = await offsetOf(this.#at(host), this.address).catch(() => undefined)
      if (offset !== undefined) this.offset = offset
      return offset !== undefined
    })
  }

  /** How many bytes the record names while others arrive. */
  async recorded(): Promise<number> {
    return (await clientAt(hosts.at(0)).uploads.info({ id: this.#id })).upload.offset
  }

  async expectWhole(): Promise<void> {
    for (const index of cluster.names.keys()) {
      const place = hosts.at(index)
      const { upload } = await clientAt(place).uploads.info({ id: this.#id })
      const reply = await fetchAt(place)(`/api/files/${upload.file_id}/download`)
      expect(await sha256Of(reply)).toBe(sha256(this.bytes))
    }
  }

  get #id(): string {
    return this.address.split('/').at(-1)!
  }

  #at = (host: number) => new TusClient(fetchAt(hosts.at(host)))
}

describe.skipIf(noEngine)(withEngine('uploads in turns to a cluster with a bucket'), () => {
  test(
    `42: ${ROUNDS} times kill -9 of the primary during an upload: the next one resumes it and keeps all acknowledged bytes`,
    { timeout: 120_000 + ROUNDS * 20_000 },
    async () => {
      let upload = await Upload.begin()
      let kept = 0
      for (let round = 0; round < ROUNDS; round++) {
        const primary = await findWriter()
        const host = randomInt(cluster.names.length)
        const isAtRandom = round % 2 === 1
        const sending = upload.send(host, isAtRandom ? randomInt(1, 24 * MIB) : Infinity)
        if (isAtRandom) await pause(randomInt(5, 1500))
        else await until(async () => (await upload.recorded()) > upload.offset)
        await hosts.host(primary).kill()
        const acknowledged = await sending
        await upload.resume(1 - primary)
        expect(upload.offset).toBeGreaterThanOrEqual(acknowledged)
        if (upload.offset > 0) kept++
        await hosts.untilAllServe()
        if (!upload.isComplete) continue
        await upload.expectWhole()
        upload = await Upload.begin()
      }
      if (!upload.isComplete) expect(await upload.send(0)).toBe(upload.bytes.length)
      await upload.expectWhole()
      expect(kept).toBeGreaterThan(0)
      console.log(
        `42: ${ROUNDS} kills in the middle of an upload, ${kept} of them with bytes of it in the bucket`,
      )
    },
  )
})
