import type { BucketError } from '../../../../server/data/bucket/bucket-error'
import type { CopyRecord } from '../../../../server/data/records/file-records'
import { CheckCopies } from '../../../../server/features/bucket/check-copies'
import { BucketUsage } from '../../../../server/features/bucket/usage'
import { SECOND, TestClock } from '../../../support/world/test-clock'

export const blobId = (n: number) => (n + 0xa000).toString(16).padEnd(32, '0')
const OWNER = 'this-host'

interface Stored {
  size: number
  etag: string
  owner: string
  at: Date
  /** Of its bytes, if another than recorded. */
  hash?: string
}

/** A bucket and a library in memory, and a check of the copies. */
export class CheckWorld {
  readonly clock = new TestClock()
  readonly objects = new Map<string, Stored>()
  uploads: { blobId: string; uploadId: string; at: Date }[] = []
  readonly records = new Map<string, CopyRecord>()
  /** What the bucket was asked, and which copies were lost. */
  calls: string[] = []
  readonly lines: string[] = []
  failure: BucketError | undefined
  listFailure: BucketError | undefined
  readonly health = { isFailing: false, failed: () => void (this.health.isFailing = true) }
  /** Happens while the bucket answers. */
  meanwhile = (): void => undefined
  readonly #counters = new Map<string, number>()
  check = this.start()

  /** A host that starts on this library and bucket. */
  start(): CheckCopies {
    const { clock, records, health } = this
    const counter = (name: string) => this.#counters.get(name) ?? 0
    const count = (name: string, by = 1) => void this.#counters.set(name, counter(name) + by)
    const record = (_: object, line: string) => void this.lines.push(line)
    return new CheckCopies({
      clock,
      health,
      log: { info: record, warn: record },
      owner: () => OWNER,
      usage: new BucketUsage({ counter, count }, clock),
      bucket: () => this.#bucket,
      store: {
        find: (id) => records.get(id),
        inState: (state) => [...records.values()].filter((copy) => copy.state === state),
      },
      copying: {
        wants: (id) => records.has(id),
        lost: async ({ id }) =>
          void (records.delete(id) && this.calls.push(`lost ${id.slice(0, 4)}`)),
      },
    })
  }

  /** Makes copies 0 … n - 1. */
  copies(count: number): void {
    for (let n = 0; n < count; n++) {
      const [id, at] = [blobId(n), this.clock.now()]
      const same = { size: 100 + n, etag: `"${n}"` }
      this.objects.set(id, { ...same, owner: OWNER, at })
      const file = {
        fileId: `file${n}`,
        filename: `${n}.bin`,
        sha256: `sha of ${n}`,
        place: 'here',
      }
      const about = { uploadId: null, parts: [], failingSince: null, at: at.toISOString() }
      this.records.set(id, { id, ...file, ...same, ...about, state: 'there' })
    }
  }

  change(n: number, change: Partial<Stored>): void {
    this.objects.set(blobId(n), { ...this.objects.get(blobId(n))!, ...change })
  }

  /** Lets time pass as the host does, which looks every second. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND) {
      this.clock.advance(SECOND)
      await this.check.look()
    }
  }

  count = (question: string) => this.calls.filter((it) => it.startsWith(question)).length

  get #bucket() {
    const { objects, records } = this
    const ask = async (question: string, failure = this.failure) => {
      await Promise.resolve()
      this.calls.push(question)
      this.meanwhile()
      if (failure) throw failure
    }
    const listing = () => ask('list', this.listFailure ?? this.failure)
    const uploads = () => this.uploads
    return {
      head: async (id: string) => {
        await ask(`head ${id.slice(0, 4)}`)
        return objects.get(id)
      },
      hash: async (id: string) => {
        await ask(`hash ${id.slice(0, 4)}`)
        return objects.get(id)?.hash ?? records.get(id)?.sha256 ?? ''
      },
      remove: async (id: string) => {
        await ask(`remove ${id.slice(0, 4)}`)
        objects.delete(id)
      },
      abandon: (id: string, uploadId: string) => ask(`abandon ${id.slice(0, 4)} ${uploadId}`),
      async *list() {
        await listing()
        for (const [id, about] of [...objects]) yield { blobId: id, ...about }
      },
      async *unfinished() {
        await Promise.resolve()
        yield* uploads()
      },
    }
  }
}
