import { settingRows, type SettingRow } from '../../../server/contract/host-settings/rows'
import { isAppWindow } from '../../lib/browser/desktop'
import type { SettingName } from './setting-rows'

const { host_name: _, shared_addresses: _addresses, ...networkSettings } = settingRows.sharing
const { registration_open: _open, largest_file: _largest, ...limits } = settingRows.people
const { start_at_login: _login, theme: _theme, ...otherAppSettings } = settingRows.app

/** All that stands under Advanced. The last two groups are set on pages of their own. */
const groups = [
  { id: 'network', title: 'Network', rows: networkSettings },
  { id: 'encryption', title: 'HTTPS', rows: settingRows.https },
  { id: 'speed', title: 'Speed', rows: settingRows.speed },
  { id: 'people', title: 'People', rows: { ...limits, ...settingRows.account } },
  { id: 'mail', title: 'Mail', rows: settingRows.mail },
  { id: 'sso', title: 'Single sign-on', rows: settingRows.sso },
  { id: 'app', title: 'This app', rows: otherAppSettings },
  { id: 'internet', title: 'From anywhere', rows: settingRows.internet },
  { id: 'bucket', title: 'Downloads from a bucket', rows: settingRows.bucket },
] as const satisfies { id: string; title: string; rows: Partial<Record<SettingName, SettingRow>> }[]

export interface SettingGroup {
  id: (typeof groups)[number]['id']
  title: string
  names: SettingName[]
}

/**
 * The groups and settings whose texts have each word of the search. Browsers have no “This app”
 * group: it works in the app only.
 */
export function findSettings(search: string): SettingGroup[] {
  const words = search.toLowerCase().split(/\s+/)
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))

  return groups
    .filter(({ id }) => id !== 'app' || isAppWindow())
    .map(({ id, title, rows }) => ({
      id,
      title,
      names: Object.entries<SettingRow>(rows)
        .filter(([name, row]) => has(`${title} ${name} ${textOf(row)}`))
        .map(([name]) => name as SettingName),
    }))
    .filter(({ names }) => names.length > 0)
}

const textOf = ({ label, help, unit, options = {} }: SettingRow) =>
  [label, help, unit, ...Object.values(options)].join(' ')

/** Whether a link such as `#trusted_proxies` or `#https` leads to a part of Advanced. */
export const isAdvanced = (part: string) =>
  part === 'advanced' || groups.some(({ id, rows }) => id === part || Object.hasOwn(rows, part))
