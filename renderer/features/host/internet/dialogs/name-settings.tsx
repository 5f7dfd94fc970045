import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { hostSettingsSchema, type HostSettings } from '../../../../../server/contract'
import { failureField, failureText } from '../../../../lib/client/failure'
import { focusFirstError } from '../../../../lib/forms/focus-first-error'
import { hostMessages } from '../../../../lib/words/host-messages'
import { FormAlert } from '../../../../ui/feedback/form-alert'
import { Warning } from '../../../../ui/feedback/warning'
import { notifySuccess } from '../../../../ui/feedback/notify'
import { PasswordField } from '../../../../ui/password-field'
import { useChangeSettings, useHostSettings } from '../../use-host-settings'
import { validateBy } from '../../../../lib/forms/validate-by'
import { SaveButton } from '../../../../ui/save-button'

const UPDATES = [
  { value: 'off', label: 'Off' },
  { value: 'dyndns2', label: 'dyndns2 (most providers)' },
  { value: 'address', label: 'Address to call' },
]

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
        <TextInput
          label="Name"
          description="A domain name that leads to your address. Links with it keep working when the address changes."
          placeholder="builds.example.org"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('internet_name')}
        />
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
      <NativeSelect
        label="Update the name"
        description="Slipway tells your provider the new address when it changes."
        data={UPDATES}
        {...form.getInputProps('name_update')}
      />
      {way !== 'off' && (
        <TextInput
          label="Address of the provider"
          description={
            way === 'address'
              ? 'Slipway replaces {ip4} and {ip6} with the addresses.'
              : 'The server that takes dyndns2 updates.'
          }
          placeholder={way === 'address' ? 'https://dns.example/update?ip={ip4}' : 'https://dns.example/nic/update'}
          type="url"
          autoComplete="off"
          {...form.getInputProps('name_update_url')}
        />
      )}
      {way === 'dyndns2' && (
        <>
          <TextInput label="User" autoComplete="off" {...form.getInputProps('name_update_user')} />
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
      <TextInput
        label="Certificate authority"
        description="The ACME directory that issues the certificate."
        type="url"
        autoComplete="off"
        {...form.getInputProps('acme_directory')}
      />
      <TextInput
        label="Email for the certificate authority"
        description="Leave empty to get no warnings from it."
        type="email"
        autoComplete="off"
        {...form.getInputProps('acme_email')}
      />
      <TextInput
        label="STUN server"
        description="Tells Slipway which address the internet sees. Leave empty to ask none."
        autoComplete="off"
        {...form.getInputProps('stun_server')}
      />
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
