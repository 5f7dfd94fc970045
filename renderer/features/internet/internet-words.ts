import { DAY_MS } from '../../../server/contract/limits'
import type { InternetView } from '../../../server/contract'
import {
  internetTexts,
  NO_CERTIFICATE,
  portOf,
  type Remedy,
} from '../../../server/texts/host/internet-texts'
import { formatClock, formatQuantity } from '../../lib/texts/format'

/** A button of the card. */
export interface Offer {
  remedy: Remedy
  label: string
}

/**
 * The sentences and buttons of a state. `isShared`: other devices in the network reach the host.
 */
export function says(
  view: InternetView,
  isShared = true,
): { line: string; reason: string; offers: Offer[] } {
  const offLine = isShared
    ? 'Only your network can reach this host.'
    : 'Only this computer can reach this host.'
  const { line, reason, remedies } = internetTexts(view, { timeOf: formatClock, offLine })
  const possible = remedies.filter((remedy) => remedy !== 'other_port' || view.other_port !== null)
  return {
    line,
    reason,
    offers: possible.map((remedy) => ({ remedy, label: labelRemedy(remedy, view) })),
  }
}

const labelRemedy = (remedy: Remedy, { other_port: port }: InternetView) =>
  remedy === 'other_port' ? `Use port ${port} instead` : labels[remedy]

const labels: Record<Exclude<Remedy, 'other_port'>, string> = {
  start: 'Make links work anywhere',
  by_hand: 'Open the port by hand',
  retry: 'Try again',
  phone: 'Test with your phone',
  router: 'Show router settings',
  tunnel: 'Use a tunnel',
  change_server: 'Change server',
  key: 'Show key',
  fingerprint: 'Compare fingerprints',
  server_settings: 'Show server settings',
}

/** Steps of opening, in the card and its announcement. */
export const stepTexts: Record<InternetView['steps'][number]['step'], string> = {
  door: 'Open a separate port on this computer',
  router: 'Ask the router to send the port to this computer',
  address: 'Find out which address the internet sees',
  tunnel: 'Connect to your server',
  certificate: 'Get a certificate',
  proof: 'Wait for a connection from outside',
}

export const provedBy: Record<NonNullable<InternetView['proof']>['by'], string> = {
  authority: 'The certificate authority reached this host',
  phone: 'Your phone reached this host',
  visitor: 'A visitor reached this host',
  request: 'This host reached itself through your server',
}

export const internetWords = {
  openFailed: 'Failed to open this host to the internet',
  closeFailed: 'Failed to close this host to the internet',
  checkFailed: 'Failed to check the connection',
  noCertificate: NO_CERTIFICATE,
  permanent: 'Your router keeps the port open until Slipway closes it, even after a crash.',
  noHairpin: 'Your router does not let devices at home use this link.',
  limits: {
    cloudflared: 'Cloudflare limits uploads to 100 MB, and its terms restrict large files.',
    ngrok: 'The free plan shows a warning page first and limits traffic to 1 GB a month.',
    tailscale: 'Tailscale Funnel limits bandwidth, and needs an account there.',
  },
}

/** 'Certificate valid for 6 more days. Slipway renews it.'; empty without a certificate. */
export function certificateText({ certificate }: InternetView, now: Date): string {
  if (certificate === null || certificate.until === null) return ''
  const days = Math.floor((Date.parse(certificate.until) - now.getTime()) / DAY_MS)
  const remaining = days < 1 ? 'less than a day' : formatQuantity(days, 'more day')
  return `Certificate valid for ${remaining}. Slipway renews it.`
}

/** When the router closes the port without us; empty if it does not. */
export function crashText(view: InternetView, now: Date): string {
  const { lease_until: until, permanent } = view
  if (until === null || permanent) return ''
  return (
    `If this computer crashes, your router keeps port ${portOf(view)} open until ` +
    `${formatClock(until, now)}.`
  )
}

/** '2 visitors from outside and 1 failed sign-in in the last hour.' */
export function countTexts({ visitors, failed_sign_ins: failures }: InternetView): string {
  const came = `${formatQuantity(visitors, 'visitor')} from outside`
  const failed = failures === 0 ? '' : ` and ${formatQuantity(failures, 'failed sign-in')}`
  return `${came}${failed} in the last hour.`
}
