import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { MirrorView } from '../../../server/contract'
import { bucketSettings } from '../../../server/contract/host-settings/bucket'
import { FormAlert } from '../../ui/feedback/form-alert'
import { Disclosure } from '../../ui/layout/disclosure'
import { PasswordField } from '../../ui/password-field'
import { SettingField, SettingFields } from '../host-settings/setting-field'
import { mirrorWords } from './bucket-words'
import { TestResult } from './test-result'
import { useMirrorForm, type MirrorForm as Form } from './use-bucket-form'
import { SaveButton } from '../../ui/save-button'

interface MirrorFormProps {
  view: MirrorView
  onSaved: () => void
}

/** Five values that the provider shows, and four that rarely change. */
export function MirrorForm({ view, onSaved }: MirrorFormProps) {
  const { form, submit, test, testing } = useMirrorForm(view, onSaved)
  const isOn = view.state !== 'off'
  const isDirty = form.isDirty()
  return (
    <form onSubmit={submit} noValidate aria-label="Settings of the bucket">
      <Stack gap="md">
        {typeof form.errors.form === 'string' && <FormAlert text={form.errors.form} />}
        <BucketFields form={form} />
        <KeyFields form={form} hasKeys={view.keys_set} />
        <MoreFields form={form} />
        <div>
          <Group gap="xs">
            <Button variant="default" loading={testing.isPending} onClick={test}>
              Test
            </Button>
            <SaveButton hasChanges={!isOn || isDirty} loading={form.submitting}>
              {isOn ? 'Save changes' : 'Save and start copying'}
            </SaveButton>
            {isDirty && (
              <Button variant="subtle" color="gray" onClick={() => form.reset()}>
                Discard
              </Button>
            )}
          </Group>
          <TestResult isPending={testing.isPending} steps={testing.data?.steps} />
        </div>
      </Stack>
    </form>
  )
}

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

function BucketFields({ form }: { form: Form }) {
  return (
    <>
      <SettingField name="endpoint" form={form} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <SettingField name="region" form={form} />
        <SettingField name="bucket" form={form} />
      </SimpleGrid>
    </>
  )
}

function KeyFields({ form, hasKeys }: { form: Form; hasKeys: boolean }) {
  const placeholder = hasKeys ? mirrorWords.savedKey : ''
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <TextInput
        label="Access key ID"
        description="It may read, write, list and delete objects."
        placeholder={placeholder}
        {...plain}
        {...form.getInputProps('access_key_id')}
      />
      <PasswordField
        label="Secret access key"
        description="Slipway never shows it again."
        placeholder={placeholder}
        {...plain}
        autoComplete="new-password"
        {...form.getInputProps('secret_access_key')}
      />
    </SimpleGrid>
  )
}

const { prefix, path_style, least_bytes, bytes_per_second } = bucketSettings
const more = { prefix, path_style, least_bytes, bytes_per_second }

/** Opens for a mistake, and stays open while it is corrected. */
function MoreFields({ form }: { form: Form }) {
  const hasMistake = Object.keys(more).some((name) => form.errors[name] !== undefined)
  const [wasWrong, setWasWrong] = useState(false)
  if (hasMistake && !wasWrong) setWasWrong(true)
  return (
    <Disclosure label="Prefix, size and speed" isOpen={wasWrong}>
      <Stack gap="md">
        <SettingFields of={more} form={form} />
      </Stack>
    </Disclosure>
  )
}
