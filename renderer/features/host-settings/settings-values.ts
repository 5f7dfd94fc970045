import {
  hostSettingsSchema,
  type HostSettings,
  type MachineAddress,
} from '../../../server/contract'
import { hostSettings } from '../../../server/contract/host-settings/host-settings'
import type { Setting } from '../../../server/contract/host-settings/setting'
import { inBytes, inMegabytes } from '../../lib/forms/megabytes'
import { numberIn } from '../../ui/number-field'

type NumberName = {
  [Name in keyof HostSettings]: HostSettings[Name] extends number | null ? Name : never
}[keyof HostSettings]
type TextName = 'public_url' | 'update_feed' | 'trusted_proxies' | 'webhook_networks'

/** Form values of the settings. Rates are MB/s; an empty one means no limit. */
export type SettingsValues = Omit<HostSettings, 'sharing' | NumberName | TextName> &
  Record<NumberName, number | string> &
  Record<TextName, string> & { reach: 'here' | 'all' | 'chosen' }

const rows = Object.entries<Setting>(hostSettings)

/** Labels of the fields. */
export const settingLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(rows.map(([name, { label }]) => [name, label])),
  reach: 'Who can reach this host',
}

/** Converts each setting by its row in the table. */
const convert = (
  values: object,
  convertOne: (name: string, row: Setting, value: unknown) => unknown,
): object => {
  const fields = new Map<string, unknown>(Object.entries(values))
  return Object.fromEntries(
    rows.map(([name, row]) => [name, convertOne(name, row, fields.get(name))]),
  )
}

const isList = (name: string) => ['trusted_proxies', 'webhook_networks'].includes(name)

export function toFormValues(settings: HostSettings): SettingsValues {
  const { sharing, shared_addresses: addresses } = settings
  const values = convert(settings, (name, { unit }, value) => {
    if (unit) return inMegabytes(value as number | null, unit)
    return isList(name) ? (value as string[]).join('\n') : (value ?? '')
  })
  return {
    ...values,
    reach: !sharing ? 'here' : addresses.length === 0 ? 'all' : 'chosen',
  } as SettingsValues
}

function toSettings({ reach, ...values }: SettingsValues): object {
  const settings = convert(values, (name, { unit, default: usual }, value) => {
    if (unit) return inBytes(value as number | string, unit)
    if (typeof usual === 'number') return numberIn(value as number | string)
    if (isList(name)) return (value as string).split(/[\s,]+/).filter((item) => item !== '')
    return usual === null && (value as string).trim() === '' ? null : value
  })

  return {
    ...settings,
    sharing: reach !== 'here',
    ...(reach === 'all' && { shared_addresses: [] }),
  }
}

export function listAddresses(
  { reach, shared_addresses }: SettingsValues,
  machine: readonly MachineAddress[],
): string[] {
  if (reach === 'chosen') return [...shared_addresses]
  // All networks means all IPv4 addresses.
  return reach === 'here'
    ? []
    : machine.map(({ address }) => address).filter((address) => !address.includes(':'))
}

export function findMistakes(
  values: SettingsValues,
): Partial<Record<keyof SettingsValues, string>> {
  const { error } = hostSettingsSchema.safeParse(toSettings(values))
  const mistakes: Partial<Record<string, string>> = {}
  for (const { path, message } of error?.issues ?? []) mistakes[String(path[0])] ??= message
  if (values.reach === 'chosen' && values.shared_addresses.length === 0)
    mistakes.shared_addresses = 'Choose at least one address'
  return mistakes
}

/** Only the changed settings. Throws if a value is invalid. */
export function findChanges(values: SettingsValues, saved: HostSettings): Partial<HostSettings> {
  const before = new Map<string, unknown>(Object.entries(toSettings(toFormValues(saved))))
  const changed = Object.entries(toSettings(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  )
  const parsed = hostSettingsSchema.partial().parse(Object.fromEntries(changed))
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}
