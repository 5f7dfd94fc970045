import { withoutUnseen } from '../../contract'
import { internetWords, bucketTexts, mailWords, ssoWords } from '../settings/restored-settings'
import type { Restored } from './restore'
import { formatFiles, formatQuantity } from '../../texts/format'

/** The output of `slipway restore`. */
export function describeRestored(dataDir: string, restored: Restored): string {
  const { from, blobs, accounts, withFactors, subscribed } = restored
  const { paused, damaged, leftOut, held, invalidSettings } = restored

  const isWhole = damaged.length === 0 && leftOut.length === 0
  const waiting = held === undefined ? [] : settingsIn(held)

  return [
    `${dataDir} contains ${isWhole ? 'everything' : 'all that is intact'} from ` +
      `${from}: ${formatFiles(blobs)}, every byte checked`,
    ...(damaged.length === 0
      ? []
      : ['These files are damaged in this backup. An older one may have them:']),
    ...damaged.map((name) => `  ${printable(name)}`),
    ...(leftOut.length === 0 ? [] : ['These records are left out. An older backup may have them:']),
    ...leftOut.map((problem) => `  ${printable(problem)}`),
    ...(paused.length === 0
      ? []
      : ['Watched folders are paused. Resume those that you trust on their project page:']),
    ...paused.map((folder) => `  ${printable(folder)}`),
    ...(accounts === 0
      ? []
      : [
          'Accounts that their owners deleted after this backup are back. Disable them on the ' +
            'People page.',
        ]),
    ...(withFactors === 0
      ? []
      : [
          'Second factors and links of single sign-on are those of this backup: one that was ' +
            'removed since works again. Remove yours on the Account page, and those of others ' +
            'on the People page.',
        ]),
    ...(subscribed === 0
      ? []
      : [
          `${formatQuantity(subscribed, 'address or browser', 'addresses and browsers')} ` +
            'subscribed to notices at the time of this backup: one that ended them since gets ' +
            'them again. Each notice can end them.',
        ]),
    ...(waiting.length === 0
      ? []
      : [
          'These settings are pending. Accept or discard them on the Host page, or restore ' +
            'with --accept-settings:',
        ]),
    ...waiting.map((line) => `  ${printable(line)}`),
    ...(invalidSettings === undefined
      ? []
      : [`The settings of the backup are not valid. They are kept in ${invalidSettings}.`]),
  ].join('\n')
}

function settingsIn(held: NonNullable<Restored['held']>): string[] {
  const {
    public_url: publicUrl,
    trusted_proxies: proxies,
    webhook_networks: networks,
    npm_registry: npm,
    python_index: python,
    update_feed: feed,
    mirror,
  } = held
  const internet = internetWords(held)
  const mail = mailWords(held)
  const sso = ssoWords(held)

  return [
    ...(publicUrl === null ? [] : [`Public address: ${publicUrl}`]),
    ...(proxies.length === 0 ? [] : [`Trusted proxies: ${proxies.join(', ')}`]),
    ...(networks.length === 0 ? [] : [`Webhooks on your network: ${networks.join(', ')}`]),
    ...(npm === '' ? [] : [`Other npm packages come from: ${npm}`]),
    ...(python === '' ? [] : [`Other Python packages come from: ${python}`]),
    ...(feed === null ? [] : [`Update feed: ${feed}`]),
    ...(mail === null ? [] : [`Mail server: ${mail}`]),
    ...(sso === null ? [] : [`Single sign-on: ${sso}`]),
    ...(internet === null ? [] : [`From anywhere: ${internet}`]),
    ...(mirror === null ? [] : [`Downloads from a bucket: ${bucketTexts(mirror)}`]),
  ]
}

/** Folder names from a backup are untrusted: keep them on one line. */
const printable = (text: string) => withoutUnseen(text).replace(/\s/g, ' ')
