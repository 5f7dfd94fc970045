import { appSettings } from './app'
import { bucketSettings } from './bucket'
import { internetSettings } from './internet'
import { accountSettings, peopleSettings, speedSettings } from './limits'
import { mailSettings } from './mail'
import type { Setting } from './setting'
import { ssoSettings } from './single-sign-on'
import { httpsSettings, sharingSettings } from './sharing'

/** What a form shows of a setting. */
export type SettingRow = Omit<Setting, 'schema' | 'stored'>

const withoutSchemas = <Table extends Record<string, Setting>>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { schema: _, stored: _stored, ...row }]) => [name, row]),
  ) as { [Name in keyof Table]: SettingRow }

/**
 * The tables of settings without their schemas. The build replaces this module by its value, so
 * that pages begin without the rules of forms (scripts/build/values.ts).
 */
export const settingRows = {
  sharing: withoutSchemas(sharingSettings),
  https: withoutSchemas(httpsSettings),
  speed: withoutSchemas(speedSettings),
  people: withoutSchemas(peopleSettings),
  account: withoutSchemas(accountSettings),
  app: withoutSchemas(appSettings),
  internet: withoutSchemas(internetSettings),
  mail: withoutSchemas(mailSettings),
  sso: withoutSchemas(ssoSettings),
  bucket: withoutSchemas(bucketSettings),
}
