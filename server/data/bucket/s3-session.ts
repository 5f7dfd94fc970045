import {
  S3Client,
  type $Command,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3'
import type { BucketKeys, BucketPlace } from './bucket-choice'
import { BucketError, type BucketProblem } from './bucket-error'
import { boundReplies, endInTime, LIMITS, type Options, type Time } from './bound-replies'
import { bucketErrorOfSdk, codeOf, NOT_S3 } from './sdk-errors'

/** How long the store may take to accept a connection, in ms. */
const CONNECT_MS = 5000

const ignore = () => undefined

/** A call of S3 with its input and output. */
type AnyCommand<I extends ServiceInputTypes, O extends ServiceOutputTypes> = $Command<
  I,
  O,
  S3ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>

/**
 * The connection to a store, through which all calls go; each throws BucketError, or the reason of
 * its signal. Import it on demand: the SDK takes 20 MB and 50 ms.
 */
export class S3Session {
  readonly client: S3Client
  readonly #secrets: readonly string[]
  #problem: BucketProblem | null = null

  constructor(
    readonly place: BucketPlace,
    keys: BucketKeys,
    readonly limits = LIMITS,
  ) {
    this.client = s3Client(place, keys, limits.silenceMs)
    boundReplies(this.client, limits.bytes)
    this.#secrets = [keys.secretAccessKey, keys.accessKeyId]
  }

  /** The problem of the last call; null: the store works. */
  get problem(): BucketProblem | null {
    return this.#problem
  }

  /** Where an object is whose key follows our prefix. */
  at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${key}` }
  }

  send<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    command: AnyCommand<I, O>,
    signal?: AbortSignal,
    time?: Time,
  ): Promise<O> {
    return this.try(signal, (options) => this.client.send(command, options), time)
  }

  async try<T>(
    signal: AbortSignal | undefined,
    call: (options: Options) => Promise<T>,
    time?: Time,
  ): Promise<T> {
    try {
      const answer = await endInTime(this.limits.ms, signal, call, time)
      this.#problem = null
      return answer
    } catch (cause) {
      signal?.throwIfAborted()

      const error = this.errorOf(cause)
      // A rejected call concerns one object.
      if (error.kind !== 'rejected') this.#problem = error.kind
      throw error
    }
  }

  /** Undefined if the store answers with one of these codes. */
  unless<T>(
    codes: string[],
    signal: AbortSignal | undefined,
    call: (options: Options) => Promise<T>,
  ) {
    return this.try(signal, (options) =>
      call(options).catch((cause: unknown) => {
        if (!codes.includes(codeOf(cause))) throw cause
        return undefined
      }),
    )
  }

  sendUnless<I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    codes: string[],
    command: AnyCommand<I, O>,
    signal?: AbortSignal,
  ): Promise<O | undefined> {
    return this.unless(codes, signal, (options) => this.client.send(command, options))
  }

  errorOf(cause: unknown): BucketError {
    // The SDK adds the reply and its own words to an error that passes through it.
    if (cause instanceof BucketError)
      return new BucketError(cause.kind, cause.detail, cause.clockOffMs)
    return bucketErrorOfSdk(cause, this.#secrets)
  }

  /** Ends all connections. */
  close(): void {
    this.client.destroy()
  }
}

/** Throws because a reply is not one of S3. */
export function notS3(): never {
  throw new BucketError('rejected', NOT_S3)
}

/** A client of the AWS SDK, set so that it does the same with every store. */
function s3Client(
  { endpoint, region, path_style }: BucketPlace,
  keys: BucketKeys,
  silenceMs: number,
): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: path_style,
    credentials: keys,
    // Without these, the SDK adds CRC32 trailers that other stores answer with 411 or 501. We send
    // Content-MD5.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The caller decides when to retry.
    maxAttempts: 1,
    // A wrong clock makes addresses for visitors useless, so it must not be hidden here.
    disableClockSkewCorrection: true,
    // `Expect: 100-continue` would cost a new connection for each part.
    expectContinueHeader: false,
    // Variables of AWS tools on this computer would change the endpoint.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silenceMs },
    // Each failure reaches our own log.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  })
}
