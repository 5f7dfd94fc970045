import { bucketSettings } from '../../contract/host-settings/bucket'
import type { BucketChoice, BucketInput } from '../../contract/host/bucket'
import { AppError } from '../../core/errors'
import { pickSettings } from '../../data/settings/settings-schema'
import type { ConfiguredBucket } from './bucket-config'

const names = Object.keys(bucketSettings) as (keyof BucketChoice)[]

/** The settings of the bucket as in the contract, without its keys. */
export const presentChoice = (bucket: BucketChoice): BucketChoice => pickSettings(bucket, names)

/** The keys in an input; undefined: none. Throws `invalid_input` if one of the two is missing. */
export function parseKeys(input: BucketInput): ConfiguredBucket['keys'] {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = input
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (accessKeyId === undefined)
    throw new AppError('invalid_input', 'Enter the access key ID', 'access_key_id')
  if (secretAccessKey === undefined) {
    throw new AppError('invalid_input', 'Enter the secret access key', 'secret_access_key')
  }
  return { accessKeyId, secretAccessKey }
}

/** Describes a change for the audit log, without keys: `bucket: builds → builds-2`. */
export function describeChanges(
  before: BucketChoice,
  after: BucketChoice,
  hasNewKeys: boolean,
): string {
  const changed = names.filter((name) => before[name] !== after[name])
  const changes = changed.map((name) => `${name}: ${String(before[name])} → ${String(after[name])}`)
  return [...changes, ...(hasNewKeys ? ['keys: changed'] : [])].join(', ')
}
