import type { InternetView } from '../../../server/contract'
import { formatClock } from '../../lib/texts/format'

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
  noCertificate:
    'Without a certificate, only public pages and downloads work. Use port 443 on your server to let people sign in.',
  permanent: 'Your router keeps the port open until Slipway closes it, even after a crash.',
  noHairpin: 'Your router does not let devices at home use this link.',
  limits: {
    cloudflared: 'Cloudflare limits uploads to 100 MB, and its terms restrict large files.',
    ngrok: 'The free plan shows a warning page first and limits traffic to 1 GB a month.',
    tailscale: 'Tailscale Funnel limits bandwidth, and needs an account there.',
  },
}

/** The port on the internet. */
export const portOf = ({ external_port: port }: InternetView): number => port ?? 443

const DAY_MS = 86_400_000

/** 'Certificate valid for 6 more days. Slipway renews it.'; empty without a certificate. */
export function certificateText({ certificate }: InternetView, now: Date): string {
  if (certificate === null || certificate.until === null) return ''
  const days = Math.floor((Date.parse(certificate.until) - now.getTime()) / DAY_MS)
  const left = days < 1 ? 'less than a day' : days === 1 ? '1 more day' : `${days} more days`
  return `Certificate valid for ${left}. Slipway renews it.`
}

/** When the router closes the port without us; empty if it does not. */
export function crashText(view: InternetView, now: Date): string {
  const { lease_until: until, permanent } = view
  if (until === null || permanent) return ''
  return `If this computer crashes, your router keeps port ${portOf(view)} open until ${formatClock(until, now)}.`
}

/** '2 visitors from outside and 1 failed sign-in in the last hour.' */
export function countTexts({ visitors, failed_sign_ins: failures }: InternetView): string {
  const came = `${visitors} ${visitors === 1 ? 'visitor' : 'visitors'} from outside`
  const failed = failures === 0 ? '' : ` and ${failures} failed ${failures === 1 ? 'sign-in' : 'sign-ins'}`
  return `${came}${failed} in the last hour.`
}
