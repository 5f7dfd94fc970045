import { appSettings } from '../../../server/contract/host-settings/app'
import { bucketSettings } from '../../../server/contract/host-settings/bucket'
import { internetSettings } from '../../../server/contract/host-settings/internet'
import { mailSettings } from '../../../server/contract/host-settings/mail'
import {
  accountSettings,
  peopleSettings,
  speedSettings,
} from '../../../server/contract/host-settings/limits'
import type { Setting } from '../../../server/contract/host-settings/setting'
import { httpsSettings, sharingSettings } from '../../../server/contract/host-settings/sharing'
import { isAppWindow } from '../../lib/browser/desktop'
import type { SettingName } from './setting-field'

const { host_name: _, shared_addresses: _addresses, ...networkSettings } = sharingSettings
const { registration_open: _open, largest_file: _largest, ...limits } = peopleSettings
const { start_at_login: _login, theme: _theme, ...otherAppSettings } = appSettings

/** All that stands under Advanced. The last two groups are set on pages of their own. */
const groups = [
  { id: 'network', title: 'Network', rows: networkSettings },
  { id: 'encryption', title: 'HTTPS', rows: httpsSettings },
  { id: 'speed', title: 'Speed', rows: speedSettings },
  { id: 'people', title: 'People', rows: { ...limits, ...accountSettings } },
  { id: 'mail', title: 'Mail', rows: mailSettings },
  { id: 'app', title: 'This app', rows: otherAppSettings },
  { id: 'internet', title: 'From anywhere', rows: internetSettings },
  { id: 'bucket', title: 'Downloads from a bucket', rows: bucketSettings },
] as const satisfies { id: string; title: string; rows: Partial<Record<SettingName, Setting>> }[]

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
      names: Object.entries<Setting>(rows)
        .filter(([name, row]) => has(`${title} ${name} ${textOf(row)}`))
        .map(([name]) => name as SettingName),
    }))
    .filter(({ names }) => names.length > 0)
}

const textOf = ({ label, help, unit, options = {} }: Setting) =>
  [label, help, unit, ...Object.values(options)].join(' ')

/** Whether a link such as `#trusted_proxies` or `#https` leads to a part of Advanced. */
export const isAdvanced = (part: string) =>
  part === 'advanced' || groups.some(({ id, rows }) => id === part || Object.hasOwn(rows, part))
