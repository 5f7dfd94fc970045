import { randomBytes } from 'node:crypto'
import { memorySource } from '../../core/byte-source'
import { systemWords } from '../../core/system-words'
import { sha256Of } from '../../core/sha256'
import { newBlobId } from '../blobs/blob-names'
import { Bucket } from './copies/bucket'
import { TRIAL, type BucketPlace, type BucketKeys } from './bucket-choice'
import { BucketError, toBucketError, type BucketProblem } from './bucket-error'

/** The failed step, with its reason. */
export interface TriedStep {
  step: 'put' | 'read' | 'head' | 'delete'
  problem: BucketProblem | null
  detail: string | null
}

const SIZE = 64 * 1024
const PATIENCE_MS = 30_000
/** How long the address works. */
const ADDRESS_S = 300
/** Read of an answer: it may be an error page. */
const MOST_BYTES = 64 * 1024
/** A name as files have them, which the store has to send back. */
const NAME = 'Slipway "test" é.bin'
const TYPE = 'application/vnd.slipway.test'

/**
 * Writes, reads by an address as visitors do, looks up and deletes a small object. Without the
 * object, the other steps are left out.
 */
export async function tryBucket(choice: BucketPlace, keys: BucketKeys): Promise<TriedStep[]> {
  const bucket = await Bucket.open(choice, keys)
  const trial = new Trial(bucket, [keys.secretAccessKey, keys.accessKeyId])

  try {
    const put = await attempt('put', () => trial.put())
    if (put.problem !== null) return [put]

    const read = await attempt('read', () => trial.read())
    const head = await attempt('head', () => trial.head())
    return [put, read, head, await attempt('delete', () => trial.delete())]
  } finally {
    bucket.close()
  }
}

async function attempt(step: TriedStep['step'], work: () => Promise<void>): Promise<TriedStep> {
  try {
    await work()
    return { step, problem: null, detail: null }
  } catch (error) {
    if (!(error instanceof BucketError)) throw error
    return { step, problem: error.kind, detail: error.detail === '' ? null : error.detail }
  }
}

class Trial {
  readonly #bytes = randomBytes(SIZE)
  readonly #sha256 = sha256Of(this.#bytes, 'hex')
  readonly #blobId = newBlobId()

  constructor(
    private readonly bucket: Bucket,
    private readonly secrets: readonly string[],
  ) {}

  async put(): Promise<void> {
    const about = {
      blobId: this.#blobId,
      size: SIZE,
      sha256: this.#sha256,
      filename: NAME,
      type: TYPE,
      owner: TRIAL,
    }

    const open = () => Promise.resolve(memorySource(this.#bytes))
    let uploadId: string | undefined
    const onPart = (state: { uploadId?: string }) => void (uploadId = state.uploadId)
    const signal = AbortSignal.timeout(2 * PATIENCE_MS)

    try {
      await this.bucket.copy({ ...about, open }, { parts: [] }, { signal, onPart })
    } catch (error) {
      if (uploadId !== undefined)
        await this.bucket.abandon(this.#blobId, uploadId).catch(() => undefined)
      throw error
    }
  }

  /** Resumes a download like a visitor after a lost connection. */
  async read(): Promise<void> {
    const url = await this.bucket.presignUrl(this.#blobId, {
      filename: NAME,
      type: TYPE,
      seconds: ADDRESS_S,
    })
    const init = { headers: { range: 'bytes=1000-1999' }, redirect: 'manual' } as const
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      this.#unanswered,
    )
    const body = await readAtMost(answer, MOST_BYTES).catch(this.#unanswered)
    if (answer.status !== 206) throw this.#refused(answer, body.toString())
    if (!body.equals(this.#bytes.subarray(1000, 2000)))
      throw new BucketError('rejected', 'The store sent other bytes than were stored')
    const { headers } = answer
    if (
      !/filename\*=/.test(headers.get('content-disposition') ?? '') ||
      headers.get('content-type') !== TYPE
    )
      throw new BucketError('rejected', 'The store ignores the file name and type of an address')
  }

  async head(): Promise<void> {
    const head = await this.bucket.head(this.#blobId)
    if (head?.size !== SIZE || head.sha256 !== this.#sha256)
      throw new BucketError(
        'rejected',
        'The store does not return the size and metadata of an object',
      )
  }

  /** Also proves that the keys may list, without which stores answer 403 for what is missing. */
  async delete(): Promise<void> {
    await this.bucket.remove(this.#blobId)
    if (await this.bucket.head(this.#blobId))
      throw new BucketError('rejected', 'The store keeps deleted objects')
    await this.bucket.list().next()
    await this.bucket.unfinished().next()
  }

  readonly #unanswered = (error: unknown): never => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const isSilence = cause instanceof Error && cause.name === 'TimeoutError'
    const message = isSilence
      ? 'No answer within 30 s'
      : cause instanceof Error
        ? systemWords(cause)
        : String(cause)
    throw toBucketError({ code: '', message, isSilence }, this.secrets)
  }

  #refused({ status, headers }: Response, body: string): BucketError {
    if (status === 200) return new BucketError('rejected', 'The store does not send ranges')
    const [code = '', message = ''] = ['Code', 'Message'].map(
      (tag) => new RegExp(`<${tag}>([^<]*)`).exec(body)?.[1] ?? '',
    )
    const date = headers.get('date') ?? undefined
    return toBucketError({ status, code, message, date, validMs: ADDRESS_S * 1000 }, this.secrets)
  }
}

/** The first bytes of an answer; the rest is not read. */
async function readAtMost({ body }: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= mostBytes) break
  }
  return Buffer.concat(chunks)
}
