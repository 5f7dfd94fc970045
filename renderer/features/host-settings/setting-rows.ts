import { settingRows } from '../../../server/contract/host-settings/rows'

const { bucket, ...groups } = settingRows

/** The rows of all settings but those of the bucket, which have a form of their own. */
export const hostRows = {
  ...groups.sharing,
  ...groups.https,
  ...groups.speed,
  ...groups.people,
  ...groups.account,
  ...groups.app,
  ...groups.internet,
  ...groups.mail,
  ...groups.sso,
}

export const allRows = { ...hostRows, ...bucket }

export type SettingName = keyof typeof allRows
