import { Text } from '@mantine/core'
import { hostSettingsSchema, type HostSettings } from '../../../../server/contract'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { messages } from '../../../lib/texts/messages'
import { Warning } from '../../../ui/feedback/warning'
import { notifySuccess } from '../../../ui/feedback/notify'
import { PasswordField } from '../../../ui/password-field'
import { SettingField } from '../../host-settings/setting-field'
import { useChangeSettings, useHostSettings } from '../../../lib/host/host-settings'
import { FormFrame } from '../../../ui/form-frame'

const URL_WORDS = {
  dyndns2: {
    help: 'The server that takes dyndns2 updates.',
    placeholder: 'https://dns.example/nic/update',
  },
  address: {
    help: 'Slipway replaces {ip4} and {ip6} with the addresses.',
    placeholder: 'https://dns.example/update?ip={ip4}',
  },
}

const schema = hostSettingsSchema.pick({
  internet_name: true,
  name_update: true,
  name_update_url: true,
  name_update_user: true,
  acme_directory: true,
  acme_email: true,
  stun_server: true,
})
type Saved = HostSettings & {
  name_update_password_set: boolean
  name_update_problem: string | null
}

/** Dynamic DNS name, which keeps links valid, and the servers that Slipway asks. */
export function NameSettings() {
  const settings = useHostSettings().data?.settings
  return settings && <NameForm saved={settings} />
}

function NameForm({ saved }: { saved: Saved }) {
  const form = useNameForm(saved)

  return (
    <FormFrame
      form={form}
      submit="Save"
      button={{ variant: 'default' }}
      hasChanges={form.isChanged}
      maw={560}
    >
      {saved.name_update_problem !== null && (
        <Warning title="The name is not up to date">
          {`Your provider answered: “${saved.name_update_problem}”.`}
        </Warning>
      )}
      <SettingField name="internet_name" form={form} />
      <UpdateFields form={form} hasPassword={saved.name_update_password_set} />
      <ServerFields form={form} />
    </FormFrame>
  )
}

type Form = ReturnType<typeof useNameForm>

function UpdateFields({ form, hasPassword }: { form: Form; hasPassword: boolean }) {
  const { name_update: way } = form.values

  return (
    <>
      <SettingField name="name_update" form={form} />
      {way !== 'off' && <SettingField name="name_update_url" form={form} {...URL_WORDS[way]} />}
      {way === 'dyndns2' && (
        <>
          <SettingField name="name_update_user" form={form} />
          <PasswordField
            label={hasPassword ? 'New password' : 'Password'}
            description={
              hasPassword
                ? 'Leave empty to keep the saved password.'
                : 'Slipway never shows it again.'
            }
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        </>
      )}
    </>
  )
}

function ServerFields({ form }: { form: Form }) {
  return (
    <>
      <SettingField name="acme_directory" form={form} />
      <SettingField name="acme_email" form={form} />
      <SettingField name="stun_server" form={form} />
      <Text size="xs" c="dimmed">
        Slipway asks these servers only while this host is open to the internet. A new certificate
        authority applies after you stop and start again.
      </Text>
    </>
  )
}

function useNameForm(saved: Saved) {
  const { mutateAsync } = useChangeSettings()

  return useApiForm({
    saved: toFormValues(saved),
    schema,
    send: async (fields, { password }) => {
      const secret = password === '' ? {} : { name_update_password: password }
      const { settings } = await mutateAsync({ ...fields, ...secret })
      notifySuccess(messages.host.saved)
      return toFormValues(settings)
    },
    failed: messages.host.saveFailed,
  })
}

const toFormValues = ({
  internet_name,
  name_update,
  name_update_url,
  name_update_user,
  ...rest
}: Saved) => ({
  internet_name,
  name_update,
  name_update_url,
  name_update_user,
  acme_directory: rest.acme_directory,
  acme_email: rest.acme_email,
  stun_server: rest.stun_server,
  password: '',
})
