import { z } from 'zod'
import { line } from '../fields'
import { GB, MB } from '../limits'
import { rate } from './limits'
import { setting } from './setting'

const NO_ENDPOINT = 'Enter an address such as https://s3.eu-central-1.amazonaws.com, without a path'
const NO_USER_INFO =
  'Leave user name and password out of the address: the keys have their own fields'
const NO_BUCKET =
  'Enter the name of the bucket: 3 to 63 lower-case letters, digits, hyphens and dots'
const NO_PREFIX =
  'Use names of letters, digits, dots, _ and -, each followed by /, such as slipway/'

/**
 * Downloads from a bucket. The endpoint and the bucket must be given: their defaults are those of
 * an empty form.
 */
export const bucketSettings = {
  /**
   * The origin of an S3-compatible object store. Whether this host may use it, the server decides.
   */
  endpoint: setting({
    schema: line(300)
      .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), NO_USER_INFO)
      .regex(/^https?:\/\/[^\s/?#\\]+\/?$/i, NO_ENDPOINT)
      .refine((url) => URL.canParse(url), NO_ENDPOINT)
      .overwrite((url) => (URL.canParse(url) ? new URL(url).origin : url)),
    default: '',
    label: 'Endpoint',
    help: 'The S3 address that your provider shows. Visitors must reach it too.',
    placeholder: 'https://s3.eu-central-1.amazonaws.com',
  }),
  region: setting({
    schema: line(64)
      .toLowerCase()
      .regex(/^[a-z0-9-]+$/, 'Enter a region such as eu-central-1, or auto'),
    default: 'auto',
    label: 'Region',
    help: 'Enter auto if the store has no regions.',
  }),
  bucket: setting({
    schema: line(63).regex(/^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, NO_BUCKET),
    default: '',
    label: 'Bucket',
    help: 'Keep it private: visitors get temporary addresses.',
    placeholder: 'my-builds',
  }),
  prefix: setting({
    schema: line(200)
      .overwrite((path) => path.replace(/^\/+/, '').replace(/([^/])$/, '$1/'))
      .regex(/^((?!\.{1,2}\/)[A-Za-z0-9._-]+\/)*$/, NO_PREFIX),
    default: 'slipway/',
    label: 'Prefix',
    help: 'The names of all copies begin with it. Slipway deletes other objects under this prefix.',
  }),
  /** `https://store/bucket/…` instead of `https://bucket.store/…`. */
  path_style: setting({
    schema: z.boolean('Use true or false'),
    default: true,
    label: 'Bucket name in the path',
    help: 'Most stores accept it. Turn it off for stores that want the bucket as a subdomain.',
  }),
  least_bytes: setting({
    schema: z
      .int('Enter a whole number of bytes')
      .min(MB, 'At least 1 MB')
      .max(2 * GB, 'At most 2 GB'),
    default: 8 * MB,
    label: 'Minimum size',
    help: 'Smaller builds always come from this computer.',
    unit: 'MB',
  }),
  seconds: setting({
    schema: z
      .int('Enter a whole number of seconds')
      .min(300, 'At least 300 seconds')
      .max(21_600, 'At most 21,600 seconds, which is 6 hours'),
    default: 3600,
    label: 'Lifetime of addresses',
    help: 'For how many seconds an address works from which the bucket sends a file.',
  }),
  bytes_per_second: setting({
    schema: rate,
    default: null,
    label: 'Speed of copying',
    help: 'Visitors always go first. Leave empty for no limit.',
    placeholder: 'No limit',
    unit: 'MB/s',
  }),
}
