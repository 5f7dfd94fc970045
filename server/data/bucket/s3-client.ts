import { S3Client } from '@aws-sdk/client-s3'
import type { BucketPlace, BucketKeys } from './bucket-choice'

/** How long the store may take to accept a connection, and to be silent, in ms. */
const CONNECT_MS = 5000
const SILENCE_MS = 30_000

const ignore = () => undefined

/** A client of the AWS SDK, set so that it does the same with every store. */
export function s3Client({ endpoint, region, path_style }: BucketPlace, keys: BucketKeys): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: path_style,
    credentials: keys,
    // Without these, the SDK adds CRC32 trailers that other stores answer with 411 or 501. We send Content-MD5.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The caller knows what waits, and when to try again.
    maxAttempts: 1,
    // A wrong clock makes addresses for visitors useless, so it must not be hidden here.
    disableClockSkewCorrection: true,
    // `Expect: 100-continue` would cost a new connection for each part.
    expectContinueHeader: false,
    // Variables of AWS tools on this computer would change the endpoint.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    // Each failure reaches our own log.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  })
}
