import { z } from 'zod'
import { GB, LARGEST_FILE, MB, tiers } from '../limits'
import { setting } from './setting'

const atLeastOne = z
  .int('Enter a whole number')
  .min(1, 'At least 1')
  .max(1_000_000, 'At most 1,000,000')

/** Simultaneous connections of one address. */
const perAddress = (least: number) =>
  z.int('Enter a whole number').min(least, `At least ${least}`).max(100_000, 'At most 100,000')

/** Bytes per second in each direction; null: no limit. */
export const rate = z
  .int('Enter a number')
  .min(1024, 'At least 0.001 MB/s')
  .max(1e12, 'Leave it empty for no limit')
  .nullable()

/** A change applies to running transfers too. */
export const speedSettings = {
  bytes_per_second_per_transfer: setting({
    schema: rate,
    default: null,
    label: 'Speed per transfer',
    help: 'One download or upload. Leave empty for no limit.',
    placeholder: 'No limit',
    unit: 'MB/s',
  }),
  bytes_per_second_per_visitor: setting({
    schema: rate,
    default: null,
    label: 'Speed per visitor',
    help: 'All transfers of one account, or of one browser without an account.',
    placeholder: 'No limit',
    unit: 'MB/s',
  }),
  bytes_per_second_in_all: setting({
    schema: rate,
    default: null,
    label: 'Total speed',
    help:
      'All downloads together, and all uploads together. A limit keeps your own connection ' +
      'usable.',
    placeholder: 'No limit',
    unit: 'MB/s',
  }),
  transfers_per_address: setting({
    schema: perAddress(1),
    default: 256,
    label: 'Transfers per address',
    help: 'Simultaneous connections. People behind one proxy or in one company share an address.',
  }),
  connections_per_address: setting({
    /** A browser opens up to six. */
    schema: perAddress(8),
    stored: perAddress(1),
    default: 256,
    label: 'Connections per address',
    help: 'Simultaneous connections. This computer and trusted proxies are exempt.',
  }),
}

export const peopleSettings = {
  registration_open: setting({
    schema: z.boolean(),
    default: true,
    label: 'Open registration',
    help: 'When this is off, people need an invite link to register.',
  }),
  second_factor: setting({
    schema: z.enum(['nobody', 'host', 'maintainers', 'everybody']),
    default: 'nobody',
    label: 'Ask for a second factor from',
    help:
      'A password alone then opens only the page where they add a passkey or codes of an app. ' +
      'The app window never asks.',
    options: {
      nobody: 'Nobody',
      host: 'The host account',
      maintainers: 'The host account, and people who own or maintain a project',
      everybody: 'Everybody',
    },
  }),
  default_tier: setting({ schema: z.enum(tiers), default: 'Free', label: 'Tier of new accounts' }),
  largest_file: setting({
    schema: z
      .int('Enter a number')
      .min(MB, 'At least 0.001 GB')
      .max(LARGEST_FILE.most, `At most ${LARGEST_FILE.most / GB} GB`),
    default: LARGEST_FILE.usual,
    label: 'Largest file',
    help: 'For each upload, at most 64 GB. Storage quotas and the disk limit it too.',
    unit: 'GB',
  }),
  largest_attachment: setting({
    schema: z
      .int('Enter a number')
      .min(MB, 'At least 1 MB')
      .max(LARGEST_FILE.most, `At most ${LARGEST_FILE.most / GB} GB`),
    default: 50 * MB,
    label: 'Largest file of a report',
    help: 'For each file that people send with a report. The owner of a project pays with storage.',
    unit: 'MB',
  }),
  uploads_per_hour: setting({
    schema: atLeastOne,
    default: 100,
    label: 'Uploads per hour',
    help: 'For each account, API key, or network that sends files. The app window has no limit.',
  }),
  requests_per_hour: setting({
    schema: atLeastOne,
    default: 1000,
    label: 'Requests per hour',
    help: 'For each account, API key or visitor address. Downloads and pages do not count.',
  }),
}

/** An account above a new limit keeps its records. */
export const accountSettings = {
  projects_per_account: setting({
    schema: atLeastOne,
    default: 500,
    label: 'Projects per account',
  }),
  posts_per_account: setting({ schema: atLeastOne, default: 5000, label: 'Posts per account' }),
  api_keys_per_account: setting({
    schema: atLeastOne,
    default: 100,
    label: 'API keys per account',
  }),
  unfinished_uploads_per_account: setting({
    schema: atLeastOne,
    default: 50,
    label: 'Unfinished uploads per account',
  }),
  sessions_per_account: setting({
    schema: atLeastOne,
    default: 50,
    label: 'Sessions per account',
    help: 'One more sign-in ends the oldest session.',
  }),
}
