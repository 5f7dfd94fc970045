import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { shareLinkFieldsSchema, SHARE_LINK_DAYS, type ShareLink } from '../../../server/contract'
import { DAY_MS } from '../../../server/contract/limits'
import { dayOf, endOf } from '../../lib/forms/last-day'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'
import { Disclosure } from '../../ui/layout/disclosure'
import { NumberField, numberIn } from '../../ui/number-field'
import { PasswordField } from '../../ui/password-field'
import { useNow } from '../../ui/text/use-now'
import { useCreateShareLink } from './use-share-links'

type End = 'day' | 'week' | 'date'

interface Values {
  end: End
  /** The last day, as `2026-12-20`, in the time zone of the person. */
  expires_at: string
  name: string
  password: string
  /** Empty: no limit. */
  most_downloads: string
}

interface ShareFormProps {
  fileId: string
  onCreated: (link: ShareLink) => void
  onCancel: (() => void) | undefined
}

/** Creates a share link. Without a change it lasts a week. */
export function ShareForm({ fileId, onCreated, onCancel }: ShareFormProps) {
  const form = useShareForm(fileId, onCreated)
  const now = useNow().getTime()
  const inDays = (days: number) => dayOf(new Date(now + days * DAY_MS).toISOString())
  const { name, password, most_downloads } = form.errors

  return (
    <FormFrame form={form} submit="Create link" {...(onCancel && { onCancel })}>
      <Stack gap={4} role="group" aria-label="The link ends">
        <Text size="sm" fw={600} aria-hidden>
          The link ends
        </Text>
        <SegmentedControl
          aria-label="The link ends"
          data={[
            { value: 'day', label: 'In a day' },
            { value: 'week', label: 'In a week' },
            { value: 'date', label: 'On a date' },
          ]}
          value={form.values.end}
          onChange={(end) => {
            form.setFieldValue('end', end)
            if (end === 'date' && form.values.expires_at === '')
              form.setFieldValue('expires_at', inDays(SHARE_LINK_DAYS.usual))
          }}
        />
      </Stack>
      {form.values.end === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          description="The link works until the end of this day, for a year at most."
          min={inDays(0)}
          max={inDays(SHARE_LINK_DAYS.most)}
          {...form.getInputProps('expires_at')}
        />
      )}
      <Disclosure
        label="Password, limit and name"
        hasMistake={[name, password, most_downloads].some(Boolean)}
      >
        <Stack gap="md">
          <PasswordField
            label="Password"
            description="Optional. Send it another way than the link."
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <NumberField
            label="Downloads"
            description="The link ends after so many complete downloads. Leave empty for no limit."
            placeholder="No limit"
            {...form.getInputProps('most_downloads')}
          />
          <TextInput
            label="Name"
            description="Optional. Who the link is for; only you see it."
            placeholder="Kim, QA"
            autoComplete="off"
            {...form.getInputProps('name')}
          />
        </Stack>
      </Disclosure>
    </FormFrame>
  )
}

const blank: Values = { end: 'week', expires_at: '', name: '', password: '', most_downloads: '' }

function useShareForm(fileId: string, onCreated: (link: ShareLink) => void) {
  const create = useCreateShareLink(fileId)

  return useApiForm({
    saved: blank,
    schema: shareLinkFieldsSchema,
    toInput,
    findMistakes: ({ end, expires_at }) =>
      end === 'date' && endOf(expires_at) === undefined ? { expires_at: 'Choose a last day' } : {},
    send: async (fields) => onCreated((await create(fields)).share_link),
    failed: 'Failed to create the link',
  })
}

function toInput({ end, expires_at, name, password, most_downloads }: Values) {
  const day = new Date(Date.now() + DAY_MS).toISOString()
  // The host knows the usual time.
  const until = { day, week: undefined, date: endOf(expires_at) }[end]

  return {
    name,
    ...(until !== undefined && { expires_at: until }),
    ...(password !== '' && { password }),
    ...(most_downloads !== '' && { most_downloads: numberIn(most_downloads) }),
  }
}
