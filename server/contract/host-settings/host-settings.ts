import { z } from 'zod'
import { appSettings } from './app'
import { internetSettings } from './internet'
import { mailSettings } from './mail'
import { accountSettings, peopleSettings, speedSettings } from './limits'
import { ssoSettings } from './single-sign-on'
import { describeSettings, type Settings } from './setting'
import { httpsSettings, sharingSettings } from './sharing'

/** Every setting that the host account can change. */
export const hostSettings = {
  ...sharingSettings,
  ...httpsSettings,
  ...speedSettings,
  ...peopleSettings,
  ...accountSettings,
  ...appSettings,
  ...internetSettings,
  ...mailSettings,
  ...ssoSettings,
}

export const hostSettingsSchema = z.object({
  ...describeSettings(hostSettings),
  sharing: z
    .boolean()
    .describe('Whether others in the network can reach this host; false: this computer only'),
})
export type HostSettings = Settings<typeof hostSettings> & { sharing: boolean }
