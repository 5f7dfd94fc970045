import { hostSettingsSchema, type HostSettings, type MachineAddress } from '../../../../server/contract'
import { inBytes, inMegabytes } from '../../../lib/forms/megabytes'
import { hostMessages } from '../../../lib/words/host-messages'
import { numberIn } from '../../../ui/number-field'

const RATES = ['bytes_per_second_per_transfer', 'bytes_per_second_per_visitor', 'bytes_per_second_in_all'] as const
type Rate = (typeof RATES)[number]
const COUNTS = [
  'port',
  'uploads_per_hour',
  'requests_per_hour',
  'transfers_per_address',
  'connections_per_address',
  'projects_per_account',
  'posts_per_account',
  'api_keys_per_account',
  'sessions_per_account',
  'unfinished_uploads_per_account',
] as const
type Count = (typeof COUNTS)[number]

/** Form values of the settings. Rates are MB/s; empty means no limit. */
export type SettingsValues = Omit<
  HostSettings,
  'sharing' | 'public_url' | 'update_feed' | 'trusted_proxies' | Count | Rate
> &
  Record<Count | Rate, number | string> & {
    reach: 'here' | 'all' | 'chosen'
    public_url: string
    update_feed: string
    trusted_proxies: string
  }

export const valuesOf = ({ sharing, ...settings }: HostSettings): SettingsValues => ({
  ...settings,
  reach: !sharing ? 'here' : settings.shared_addresses.length === 0 ? 'all' : 'chosen',
  ...eachRate((name) => inMegabytes(settings[name])),
  public_url: settings.public_url ?? '',
  update_feed: settings.update_feed ?? '',
  trusted_proxies: settings.trusted_proxies.join('\n'),
})

const asked = ({ reach, ...values }: SettingsValues) => ({
  ...values,
  sharing: reach !== 'here',
  shared_addresses: reach === 'all' ? [] : values.shared_addresses,
  ...eachRate((name) => inBytes(values[name])),
  ...eachCount((name) => numberIn(values[name])),
  public_url: values.public_url.trim() === '' ? null : values.public_url,
  update_feed: values.update_feed.trim() === '' ? null : values.update_feed,
  trusted_proxies: values.trusted_proxies.split(/[\s,]+/).filter((proxy) => proxy !== ''),
})

const eachCount = (valueOf: (name: Count) => number) =>
  Object.fromEntries(COUNTS.map((name) => [name, valueOf(name)])) as Record<Count, number>

const eachRate = <Value>(valueOf: (name: Rate) => Value) =>
  Object.fromEntries(RATES.map((name) => [name, valueOf(name)])) as Record<Rate, Value>

export function reachedAt({ reach, shared_addresses }: SettingsValues, machine: readonly MachineAddress[]): string[] {
  if (reach === 'chosen') return [...shared_addresses]
  // All networks means all IPv4 addresses.
  return reach === 'here' ? [] : machine.map(({ address }) => address).filter((address) => !address.includes(':'))
}

export function mistakesIn(values: SettingsValues): Partial<Record<keyof SettingsValues, string>> {
  const { error } = hostSettingsSchema.safeParse(asked(values))
  const mistakes: Partial<Record<string, string>> = {}
  for (const { path, message } of error?.issues ?? []) mistakes[String(path[0])] ??= message
  if (values.reach === 'chosen' && values.shared_addresses.length === 0)
    mistakes.shared_addresses = hostMessages.host.chooseAddress
  return mistakes
}

/** Only the changed settings. Throws if a value is invalid. */
export function changesIn(values: SettingsValues, saved: HostSettings): Partial<HostSettings> {
  const wanted = hostSettingsSchema.partial().parse(onlyChanged(values, saved))
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

function onlyChanged(values: SettingsValues, saved: HostSettings) {
  const before: object = asked(valuesOf(saved))
  const known = new Map<string, unknown>(Object.entries(before))
  const entries = Object.entries(asked(values))
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known.get(name))),
  )
}
