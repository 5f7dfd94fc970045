import type { HostSettings, MachineAddress } from '../../../server/contract'
import type { SettingRow } from '../../../server/contract/host-settings/rows'
import { inBytes, inMegabytes } from '../../lib/forms/megabytes'
import { numberIn } from '../../ui/number-field'
import { hostRows } from './setting-rows'

type NumberName = {
  [Name in keyof HostSettings]: HostSettings[Name] extends number | null ? Name : never
}[keyof HostSettings]
type TextName = 'public_url' | 'update_feed' | 'trusted_proxies' | 'webhook_networks' | 'sso_tiers'

/** Form values of the settings. Rates are MB/s; an empty one means no limit. */
export type SettingsValues = Omit<HostSettings, 'sharing' | NumberName | TextName> &
  Record<NumberName, number | string> &
  Record<TextName, string> & { reach: 'here' | 'all' | 'chosen' }

const rows = Object.entries<SettingRow>(hostRows)

/** Labels of the fields. */
export const settingLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(rows.map(([name, { label }]) => [name, label])),
  reach: 'Who can reach this host',
}

/** Converts each setting by its row in the table. */
const convert = (
  values: object,
  convertOne: (name: string, row: SettingRow, value: unknown) => unknown,
): object => {
  const fields = new Map<string, unknown>(Object.entries(values))
  return Object.fromEntries(
    rows.map(([name, row]) => [name, convertOne(name, row, fields.get(name))]),
  )
}

/** What separates the items of a list. Groups have spaces. */
const separators: Readonly<Record<string, RegExp>> = {
  trusted_proxies: /[\s,]+/,
  webhook_networks: /[\s,]+/,
  sso_tiers: /\s*\n\s*/,
}

export function toFormValues(settings: HostSettings): SettingsValues {
  const { sharing, shared_addresses: addresses } = settings
  const values = convert(settings, (name, { unit }, value) => {
    if (unit) return inMegabytes(value as number | null, unit)
    return Object.hasOwn(separators, name) ? (value as string[]).join('\n') : (value ?? '')
  })
  return {
    ...values,
    reach: !sharing ? 'here' : addresses.length === 0 ? 'all' : 'chosen',
  } as SettingsValues
}

/** The input of the schema, whose mistakes stand at the fields of their names. */
export function toSettings({ reach, ...values }: SettingsValues): object {
  const settings = convert(values, (name, { unit, default: usual }, value) => {
    if (unit) return inBytes(value as number | string, unit)
    if (typeof usual === 'number') return numberIn(value as number | string)
    const separator = separators[name]
    if (separator) return (value as string).split(separator).filter((item) => item !== '')
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

/** What the schema does not know. */
export const findMistakes = ({
  reach,
  shared_addresses: addresses,
}: SettingsValues): Partial<Record<keyof SettingsValues, string>> =>
  reach === 'chosen' && addresses.length === 0
    ? { shared_addresses: 'Choose at least one address' }
    : {}

/** Returns what of the parsed settings the person has changed. */
export function findChanges(
  settings: HostSettings,
  values: SettingsValues,
  saved: HostSettings,
): Partial<HostSettings> {
  const before = new Map<string, unknown>(Object.entries(toSettings(toFormValues(saved))))
  const changed = Object.entries(toSettings(values))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)))
    .map(([name]) => name)

  return Object.fromEntries(Object.entries(settings).filter(([name]) => changed.includes(name)))
}
