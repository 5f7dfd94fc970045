import { Button, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import type { MirrorView } from '../../../server/contract'
import { FormFrame } from '../../ui/form-frame'
import { Disclosure } from '../../ui/layout/disclosure'
import { NumberField } from '../../ui/number-field'
import { PasswordField } from '../../ui/password-field'
import { plainInput } from '../../ui/plain-input'
import { TestResult } from './test-result'
import { useMirrorForm, type MirrorForm as Form } from './use-bucket-form'

interface MirrorFormProps {
  view: MirrorView
  onSaved: () => void
}

/** Five values that the provider shows, and four that rarely change. */
export function MirrorForm({ view, onSaved }: MirrorFormProps) {
  const { form, test, testing } = useMirrorForm(view, onSaved)
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
      <TextInput
        label="Endpoint"
        description="The S3 address that your provider shows. Visitors must reach it too."
        placeholder="https://s3.eu-central-1.amazonaws.com"
        type="url"
        inputMode="url"
        {...plainInput}
        {...form.getInputProps('endpoint')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput
          label="Region"
          description="Enter auto if the store has no regions."
          {...plainInput}
          {...form.getInputProps('region')}
        />
        <TextInput
          label="Bucket"
          description="Keep it private: visitors get temporary addresses."
          {...plainInput}
          {...form.getInputProps('bucket')}
        />
      </SimpleGrid>
    </>
  )
}

function KeyFields({ form, hasKeys }: { form: Form; hasKeys: boolean }) {
  const placeholder = hasKeys ? 'Saved; enter to replace' : ''
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
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

const more = ['prefix', 'path_style', 'least_bytes', 'bytes_per_second'] as const

function MoreFields({ form }: { form: Form }) {
  return (
    <Disclosure label="Prefix, size and speed" hasMistake={more.some((name) => form.errors[name] !== undefined)}>
      <Stack gap="md">
        <TextInput
          label="Prefix"
          description="The names of all copies begin with it. Nothing else may use it: Slipway deletes what it does not know."
          {...plainInput}
          {...form.getInputProps('prefix')}
        />
        <Switch
          label="Bucket name in the path"
          description="Most stores accept it. Turn it off for stores that want the bucket as a subdomain."
          {...form.getInputProps('path_style', { type: 'checkbox' })}
        />
        <NumberField
          label="Minimum size"
          description="Smaller builds always come from this computer."
          unit="MB"
          {...form.getInputProps('least_bytes')}
        />
        <NumberField
          label="Speed of copying"
          description="Visitors always go first. Leave empty for no limit."
          placeholder="No limit"
          unit="MB/s"
          {...form.getInputProps('bytes_per_second')}
        />
      </Stack>
    </Disclosure>
  )
}
