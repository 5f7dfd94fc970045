import { Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { hostSettingsSchema, type HostSettings } from '../../../../server/contract'
import { failureField, failureText } from '../../../lib/client/failure'
import { focusFirstError } from '../../../lib/forms/focus-first-error'
import { hostMessages } from '../../../lib/texts/host-messages'
import { FormAlert } from '../../../ui/feedback/form-alert'
import { Warning } from '../../../ui/feedback/warning'
import { notifySuccess } from '../../../ui/feedback/notify'
import { PasswordField } from '../../../ui/password-field'
import { SettingField } from '../../host-settings/setting-field'
import { useChangeSettings, useHostSettings } from '../../host-settings/use-host-settings'
import { validateBy } from '../../../lib/forms/validate-by'
import { SaveButton } from '../../../ui/save-button'

const URL_WORDS = {
  dyndns2: { help: 'The server that takes dyndns2 updates.', placeholder: 'https://dns.example/nic/update' },
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
type Saved = HostSettings & { name_update_password_set: boolean; name_update_problem: string | null }

/** A name that keeps links alive when the address changes, and the servers that Slipway asks. */
export function NameSettings() {
  const settings = useHostSettings().data?.settings
  return settings && <NameForm saved={settings} />
}

function NameForm({ saved }: { saved: Saved }) {
  const { form, submit } = useNameForm(saved)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md" maw={560}>
        {typeof form.errors.form === 'string' && <FormAlert text={form.errors.form} />}
        {saved.name_update_problem !== null && (
          <Warning title="The name is not up to date">{`Your provider answered: “${saved.name_update_problem}”.`}</Warning>
        )}
        <SettingField name="internet_name" form={form} />
        <UpdateFields form={form} hasPassword={saved.name_update_password_set} />
        <ServerFields form={form} />
        <Group>
          <SaveButton variant="default" hasChanges={form.isDirty()} loading={form.submitting}>
            Save
          </SaveButton>
        </Group>
      </Stack>
    </form>
  )
}

type Form = ReturnType<typeof useNameForm>['form']

function UpdateFields({ form, hasPassword }: { form: Form; hasPassword: boolean }) {
  const { name_update: way } = form.getValues()
  return (
    <>
      <SettingField name="name_update" form={form} />
      {way !== 'off' && <SettingField name="name_update_url" form={form} {...URL_WORDS[way]} />}
      {way === 'dyndns2' && (
        <>
          <SettingField name="name_update_user" form={form} />
          <PasswordField
            label={hasPassword ? 'New password' : 'Password'}
            description={hasPassword ? 'Leave empty to keep the saved password.' : 'Slipway never shows it again.'}
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
        Slipway asks these servers only while this host is open to the internet. A new certificate authority applies
        after you stop and start again.
      </Text>
    </>
  )
}

function useNameForm(saved: Saved) {
  const { mutateAsync } = useChangeSettings()
  const form = useForm({ mode: 'controlled', initialValues: valuesOf(saved), validate: validateBy(schema) })
  const submit = form.onSubmit(async ({ password, ...values }) => {
    try {
      const secret = password === '' ? {} : { name_update_password: password }
      const { settings } = await mutateAsync({ ...schema.parse(values), ...secret })
      form.setInitialValues(valuesOf(settings))
      form.reset()
      notifySuccess(hostMessages.host.saved)
    } catch (cause) {
      const field = failureField(cause, Object.keys(values)) ?? 'form'
      form.setFieldError(field, failureText(cause, { failed: hostMessages.host.saveFailed }))
    }
  }, focusFirstError(form))
  return { form, submit }
}

const valuesOf = ({ internet_name, name_update, name_update_url, name_update_user, ...rest }: Saved) => ({
  internet_name,
  name_update,
  name_update_url,
  name_update_user,
  acme_directory: rest.acme_directory,
  acme_email: rest.acme_email,
  stun_server: rest.stun_server,
  password: '',
})
