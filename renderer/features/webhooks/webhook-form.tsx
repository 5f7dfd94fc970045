import { Button, Checkbox, Group, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { webhookEventTexts, type Webhook } from '../../../server/contract'
import { FormFrame } from '../../ui/form-frame'
import { PasswordField } from '../../ui/password-field'
import { plainInput } from '../../ui/plain-input'
import { services, type Service } from './texts'
import { useWebhookForm } from './use-webhook-form'
import { useRenewSecret } from './use-webhooks'

interface WebhookFormProps {
  projectId: string
  /** Undefined: a new webhook. */
  saved: Webhook | undefined
  onSaved: (secret: string | null) => void
  onClose: () => void
}

const serviceOptions = Object.entries(services).map(([value, { label }]) => ({ value, label }))

export function WebhookForm({ projectId, saved, onSaved, onClose }: WebhookFormProps) {
  const form = useWebhookForm({ projectId, saved, onSaved })

  const { service, name } = form.values
  const texts = services[service]

  const choose = (next: Service) => {
    if (name === texts.label) form.setFieldValue('name', services[next].label)
    form.setFieldValue('service', next)
  }

  return (
    <FormFrame form={form} submit={saved ? 'Save changes' : 'Add webhook'} onCancel={onClose}>
      {!saved && (
        <NativeSelect
          label="Service"
          data={serviceOptions}
          data-autofocus
          {...form.getInputProps('service')}
          onChange={({ currentTarget }) => choose(currentTarget.value as Service)}
        />
      )}
      <TextInput label="Name" withAsterisk autoComplete="off" {...form.getInputProps('name')} />
      {texts.address !== undefined && (
        <TextInput
          label={texts.address}
          description={saved ? `Leave empty to keep the address at ${saved.host}.` : texts.help}
          placeholder={texts.placeholder ?? ''}
          type="url"
          inputMode="url"
          withAsterisk={!saved}
          {...plainInput}
          {...form.getInputProps('url')}
        />
      )}
      {texts.target && (
        <TextInput
          label={texts.target.label}
          description={texts.target.help}
          placeholder={texts.target.placeholder}
          withAsterisk
          {...plainInput}
          {...form.getInputProps('target')}
        />
      )}
      {texts.token && (
        <PasswordField
          label={texts.token.label}
          description={saved?.has_token ? 'Leave empty to keep the token.' : texts.token.help}
          autoComplete="off"
          {...form.getInputProps('access_token')}
        />
      )}
      <Checkbox.Group label="Send a message when" {...form.getInputProps('events')}>
        <Stack gap="xs" mt={4}>
          {Object.entries(webhookEventTexts).map(([value, label]) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      {saved && <Switch label="On" {...form.getInputProps('is_on', { type: 'checkbox' })} />}
      {saved?.service === 'json' && (
        <NewSecret
          projectId={projectId}
          webhookId={saved.webhook_id}
          onMade={(secret) => onSaved(secret)}
        />
      )}
    </FormFrame>
  )
}

interface NewSecretProps {
  projectId: string
  webhookId: string
  onMade: (secret: string) => void
}

function NewSecret({ projectId, webhookId, onMade }: NewSecretProps) {
  const { mutate, isPending } = useRenewSecret(projectId, webhookId)

  return (
    <Group>
      <Button
        variant="default"
        loading={isPending}
        onClick={() => mutate(undefined, { onSuccess: ({ secret }) => onMade(secret) })}
      >
        Make new signing secret
      </Button>
    </Group>
  )
}
