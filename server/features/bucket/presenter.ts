import type { MirrorView } from '../../contract'
import type { MirrorInput } from '../../contract/host/bucket'
import { AppError } from '../../core/errors'
import type { MirrorSettings } from '../../data/settings/settings-schema'
import type { ConfiguredBucket } from './bucket-config'

/** Presents the settings of the bucket as in the contract: without its keys. */
export function presentChoice(bucket: MirrorSettings): NonNullable<MirrorView['choice']> {
  return {
    endpoint: bucket.endpoint,
    region: bucket.region,
    bucket: bucket.bucket,
    prefix: bucket.prefix,
    path_style: bucket.pathStyle,
    least_bytes: bucket.leastBytes,
    seconds: bucket.seconds,
    bytes_per_second: bucket.bytesPerSecond,
  }
}

/** The settings of the bucket in an input. */
export function storedChoice(input: MirrorInput): Omit<MirrorSettings, 'use'> {
  return {
    endpoint: input.endpoint,
    region: input.region,
    bucket: input.bucket,
    prefix: input.prefix,
    pathStyle: input.path_style,
    leastBytes: input.least_bytes,
    seconds: input.seconds,
    bytesPerSecond: input.bytes_per_second,
  }
}

/** The keys in an input; undefined: none. Throws `invalid_input` if one of the two is missing. */
export function keysIn(input: MirrorInput): ConfiguredBucket['keys'] {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = input
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (accessKeyId === undefined) throw new AppError('invalid_input', 'Enter the access key ID', 'access_key_id')
  if (secretAccessKey === undefined) {
    throw new AppError('invalid_input', 'Enter the secret access key', 'secret_access_key')
  }
  return { accessKeyId, secretAccessKey }
}

/** Describes a change for the audit log, without keys: `bucket: builds → builds-2`. */
export function changesOf(before: MirrorSettings, after: MirrorSettings, hasNewKeys: boolean): string {
  const old = presentChoice(before)
  const now = presentChoice(after)
  const names = (Object.keys(now) as (keyof typeof now)[]).filter((name) => old[name] !== now[name])
  const changes = names.map((name) => `${name}: ${String(old[name])} → ${String(now[name])}`)
  return [...changes, ...(hasNewKeys ? ['keys: changed'] : [])].join(', ')
}
