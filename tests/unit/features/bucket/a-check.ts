import { BucketError } from '../../../../server/data/bucket/bucket-error'
import { CheckCopies } from '../../../../server/features/bucket/check-copies'
import { SECOND, TestClock } from '../../../support/world/test-clock'
import type { MirroredRecord } from '../../../../server/data/records/file-records'

/** Blob ids in ascending order. */
export const blobId = (n: number) => (n + 0xa000).toString(16).padEnd(32, '0')
/** The host whose copies are checked. */
export const OWNER = 'this-host'
const sha = (n: number) => `sha of ${n}`

export interface Stored {
  size: number
  etag: string
  sha256?: string
  owner?: string
  at: Date
  /** Of its bytes, if they are not what the metadata say. */
  bytes?: string
}

/** A bucket and a library in memory, and a check of the copies. */
export class CheckWorld {
  readonly clock = new TestClock()
  readonly objects = new Map<string, Stored>()
  uploads: { blobId: string; uploadId: string; at: Date }[] = []
  readonly records = new Map<string, MirroredRecord>()
  /** Files that wait for their copy. */
  readonly wanted = new Set<string>()
  readonly counters = new Map<string, number>()
  /** What the bucket was asked, and which copies were lost. */
  asked: string[] = []
  readonly lines: string[] = []
  /** What each call to the bucket throws, and what listing throws. */
  failure: BucketError | undefined
  listFailure: BucketError | undefined
  isFailing = false
  /** Happens while the bucket answers. */
  meanwhile = (): void => undefined
  check = this.start()

  /** A host that starts on this library and bucket. */
  start(): CheckCopies {
    const { clock, records, counters } = this
    const health = {
      isFailing: () => this.isFailing,
      failed: (error: unknown) => {
        if (!(error instanceof BucketError)) throw error
        this.isFailing = true
      },
    }
    return new CheckCopies({
      clock,
      log: { info: (_, line) => this.lines.push(line), warn: (_, line) => this.lines.push(line) },
      owner: () => OWNER,
      library: {
        counter: (name) => counters.get(name) ?? 0,
        count: (name, by: number | undefined) => void counters.set(name, (counters.get(name) ?? 0) + (by ?? 1)),
      },
      health: {
        get isFailing() {
          return health.isFailing()
        },
        failed: health.failed,
      },
      bucket: () => this.#bucket,
      copies: () => [...records.values()].filter(({ state }) => state === 'there'),
      find: (id) => records.get(id),
      wants: (id) => records.has(id) || this.wanted.has(id),
      lost: ({ id }) => {
        records.delete(id)
        this.asked.push(`lost ${id.slice(0, 4)}`)
        return Promise.resolve()
      },
    })
  }

  /** Makes copies 0 … n - 1. */
  copies(count: number): void {
    for (let n = 0; n < count; n++) {
      const id = blobId(n)
      const same = { size: 100 + n, sha256: sha(n), etag: `"${n}"` }
      const at = this.clock.now()
      this.objects.set(id, { ...same, owner: OWNER, at })
      const none = { uploadId: null, parts: [], failingSince: null }
      const about = { fileId: `file${n}`, filename: `${n}.bin`, place: 'here' }
      this.records.set(id, { id, ...about, ...same, ...none, state: 'there', at: at.toISOString() })
    }
  }

  /** Lets time pass as the host does, which looks every second. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND) {
      this.clock.advance(SECOND)
      await this.check.look()
    }
  }

  /** How many copies the bucket was asked for. */
  heads(): number {
    return this.asked.filter((question) => question.startsWith('head')).length
  }

  get #bucket() {
    const { objects } = this
    const ask = async (question: string) => {
      await Promise.resolve()
      this.asked.push(question)
      this.meanwhile()
      if (this.failure) throw this.failure
    }
    const listing = async () => {
      await Promise.resolve()
      if (this.listFailure) throw this.listFailure
    }
    const uploads = () => this.uploads
    return {
      head: async (id: string) => {
        await ask(`head ${id.slice(0, 4)}`)
        return objects.get(id)
      },
      hash: async (id: string) => {
        await ask(`hash ${id.slice(0, 4)}`)
        return objects.get(id)?.bytes ?? objects.get(id)?.sha256 ?? ''
      },
      remove: async (id: string) => {
        await ask(`remove ${id.slice(0, 4)}`)
        objects.delete(id)
      },
      abandon: (id: string, uploadId: string) => ask(`abandon ${id.slice(0, 4)} ${uploadId}`),
      async *list() {
        await listing()
        for (const [id, { size, at }] of [...objects]) yield { blobId: id, size, at }
      },
      async *unfinished() {
        await listing()
        yield* uploads()
      },
    }
  }
}
