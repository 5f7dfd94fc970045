import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import { changeSecrets } from '../../data/settings/secrets'
import { ssoNames, type SettingsData } from '../../data/settings/settings-schema'
import { isSafe } from '../../network/issuer-keys'

/** Throws `invalid_input` for the first field that single sign-on still needs. */
export function checkSso(
  { data: { settings } }: Rooms<'data'>,
  next: Readonly<SettingsData>,
): void {
  const now = settings.get()
  const isChanged = ssoNames.some((name) => String(next[name]) !== String(now[name]))
  if (!isChanged || next.sso_issuer === '') return

  if (!URL.canParse(next.sso_issuer) || !isSafe(new URL(next.sso_issuer))) {
    throw new AppError(
      'invalid_input',
      'Use an https:// address. Over http://, someone on the network could sign in as anyone',
      'sso_issuer',
    )
  }
  if (next.sso_client_id === '')
    throw new AppError('invalid_input', 'Enter the client ID', 'sso_client_id')
}

/** Removes the client secret before another issuer is saved: it goes to no other one. */
export async function forgetSsoSecret(
  rooms: Rooms<'data'>,
  next: Readonly<SettingsData>,
): Promise<void> {
  const { secrets, settings } = rooms.data
  if (next.sso_issuer !== settings.get().sso_issuer && secrets.ssoClientSecret !== undefined)
    await saveSsoSecret(rooms, null)
}

/** Saves the client secret after its issuer; null removes it. */
export const saveSsoSecret = (
  { data: { dataDir, secrets, disk } }: Rooms<'data'>,
  secret: string | null,
): Promise<void> => changeSecrets(dataDir, secrets, { ssoClientSecret: secret ?? undefined }, disk)

/** What the settings say of single sign-on beside their values. */
export const ssoState = ({
  data: { secrets },
  singleSignOn: { signOn },
}: Rooms<'data' | 'singleSignOn'>) => ({
  sso_client_secret_set: secrets.ssoClientSecret !== undefined,
  sso_addresses: signOn.addresses(),
})
