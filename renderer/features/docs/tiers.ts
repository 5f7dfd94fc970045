import { GB, MB, TB, tierQuota, type Tier } from '../../../server/contract'

export const tiers = (Object.keys(tierQuota) as Tier[]).map((name) => ({
  name,
  quota: tierQuota[name],
  price: name === 'Free' ? '$0/month' : 'Contact us',
}))

/** '100 MB', '1 TB': round tier sizes, without decimals. */
export function storageOf(bytes: number): string {
  if (bytes >= TB) return `${bytes / TB} TB`
  return bytes >= GB ? `${bytes / GB} GB` : `${bytes / MB} MB`
}
