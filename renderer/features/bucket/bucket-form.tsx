import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { BucketView } from '../../../server/contract'
import { bucketSettings } from '../../../server/contract/host-settings/bucket'
import { FormFrame } from '../../ui/form-frame'
import { Disclosure } from '../../ui/layout/disclosure'
import { PasswordField } from '../../ui/password-field'
import { plainInput } from '../../ui/plain-input'
import { wrappingLabel } from '../../ui/wrapping-label'
import { SettingField, SettingFields } from '../host-settings/setting-field'
import { TestResult } from './test-result'
import { useBucketForm, type BucketForm as Form } from './use-bucket-form'

/** Five values that the provider shows, and four that rarely change. */
export function BucketForm({ view, onSaved }: { view: BucketView; onSaved: () => void }) {
  const { form, test, testing } = useBucketForm(view, onSaved)

  const isOn = view.state !== 'off'
  const testButton = (
    <Button variant="default" loading={testing.isPending} onClick={test}>
      Test
    </Button>
  )

  return (
    <div>
      <FormFrame
        form={form}
        submit={isOn ? 'Save changes' : 'Save and start copying'}
        button={wrappingLabel}
        hasChanges={!isOn || form.isChanged}
        start={testButton}
        aria-label="Settings of the bucket"
      >
        <BucketFields form={form} />
        <KeyFields form={form} hasKeys={view.keys_set} />
        <MoreFields form={form} />
      </FormFrame>
      <TestResult isPending={testing.isPending} steps={testing.data?.steps} />
    </div>
  )
}

function BucketFields({ form }: { form: Form }) {
  return (
    <>
      <SettingField name="endpoint" form={form} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <SettingField name="region" form={form} />
        <SettingField name="bucket" form={form} />
      </SimpleGrid>
    </>
  )
}

function KeyFields({ form, hasKeys }: { form: Form; hasKeys: boolean }) {
  const placeholder = hasKeys ? 'Saved; enter to replace' : ''

  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <TextInput
        label="Access key ID"
        description="It may read, write, list and delete objects."
        placeholder={placeholder}
        {...plainInput}
        {...form.getInputProps('access_key_id')}
      />
      <PasswordField
        label="Secret access key"
        description="Slipway never shows it again."
        placeholder={placeholder}
        {...plainInput}
        autoComplete="new-password"
        {...form.getInputProps('secret_access_key')}
      />
    </SimpleGrid>
  )
}

const { prefix, path_style, least_bytes, bytes_per_second } = bucketSettings
const more = { prefix, path_style, least_bytes, bytes_per_second }

function MoreFields({ form }: { form: Form }) {
  return (
    <Disclosure
      label="Prefix, size and speed"
      hasMistake={Object.keys(more).some((name) => form.errors[name] !== undefined)}
    >
      <Stack gap="md">
        <SettingFields of={more} form={form} />
      </Stack>
    </Disclosure>
  )
}
