import {
  Checkbox,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { DAY_MS } from '../../../server/contract/limits'
import type { OwnedLink } from '../../../server/contract/link-fields'
import { dayOf, endOf } from '../../lib/forms/last-day'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'
import { Disclosure } from '../../ui/layout/disclosure'
import { PasswordField } from '../../ui/password-field'
import { useNow } from '../../ui/text/use-now'

/** What all links have that people without an account open. */
export interface LinkValues {
  end: 'day' | 'week' | 'date'
  /** The last day, as `2026-12-20`, in the time zone of the person. */
  expires_at: string
  name: string
  /** Empty: none, or as it was. */
  password: string
  /** Removes the password of a saved link. */
  open: boolean
}

type SavedLink = Pick<OwnedLink, 'name' | 'expires_at' | 'has_password'>

/** A form with the fields of a link, perhaps among others. */
type FormWithLink = Omit<ReturnType<typeof useApiForm<LinkValues>>, 'setFieldValue'> & {
  setFieldValue(name: 'end' | 'expires_at', value: string): void
}

interface LinkFormProps {
  form: FormWithLink
  saved: SavedLink | undefined
  days: { usual: number; most: number }
  onCancel: (() => void) | undefined
  /** Fields before the end of the link, and after it. */
  before?: ReactNode
  after?: ReactNode
  /** Fields that are folded away with the password. */
  folded: { label: string; names: readonly string[]; fields: ReactNode }
}

/** The form of a share link or file request. */
export function LinkForm(props: LinkFormProps) {
  const { form, saved, days, onCancel, before, after, folded } = props
  const { errors } = form

  return (
    <FormFrame
      form={form}
      submit={saved ? 'Save changes' : 'Create link'}
      {...(onCancel && { onCancel })}
    >
      {before}
      <EndFields form={form} days={days} />
      {after}
      <Disclosure
        label={folded.label}
        hasMistake={['password', ...folded.names].some((name) => Boolean(errors[name]))}
        isOpen={saved !== undefined}
      >
        <Stack gap="md">
          <LinkPasswordFields
            form={form}
            saved={saved}
            hint="Optional. Send it another way than the link."
          />
          {folded.fields}
        </Stack>
      </Disclosure>
    </FormFrame>
  )
}

/** When a link ends. */
function EndFields({ form, days }: Pick<LinkFormProps, 'form' | 'days'>) {
  const inDays = useDays()
  const { values } = form

  return (
    <>
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
          value={values.end}
          onChange={(end) => {
            form.setFieldValue('end', end)
            if (end === 'date' && values.expires_at === '')
              form.setFieldValue('expires_at', inDays(days.usual))
          }}
        />
      </Stack>
      {values.end === 'date' && <LastDay days={days} {...form.getInputProps('expires_at')} />}
    </>
  )
}

/** The last day of a link. */
export function LastDay({ days, ...field }: { days: { most: number } } & TextInputProps) {
  const inDays = useDays()

  return (
    <TextInput
      type="date"
      label="Last day"
      description="The link works until the end of this day, for a year at most."
      min={inDays(0)}
      max={inDays(days.most)}
      {...field}
    />
  )
}

function useDays() {
  const now = useNow().getTime()
  return (count: number) => dayOf(new Date(now + count * DAY_MS).toISOString())
}

interface LinkPasswordProps extends Pick<LinkFormProps, 'form' | 'saved'> {
  /** Describes the password of a link that has none. */
  hint: string
}

/** The password of a new link, or a new one of a saved link, which can be removed. */
export function LinkPasswordFields({ form, saved, hint }: LinkPasswordProps) {
  const hasOne = saved?.has_password === true

  return (
    <>
      <PasswordField
        label={hasOne ? 'New password' : 'Password'}
        description={hasOne ? 'Leave empty to keep the password.' : hint}
        autoComplete="new-password"
        disabled={form.values.open}
        {...form.getInputProps('password')}
      />
      {hasOne && (
        <Checkbox
          label="Remove the password"
          {...form.getInputProps('open', { type: 'checkbox' })}
        />
      )}
    </>
  )
}

interface LinkFormOptions<Extra extends object, Input> {
  saved: SavedLink | undefined
  /** The values of further fields, and how they are sent. */
  extra: Extra
  toExtra: (entered: Extra) => object
  schema: z.ZodType<Input>
  create: (fields: Input) => Promise<void>
  /** `removed`: null for a password that the person removes. */
  change: (fields: Input, removed: { password?: null }) => Promise<void>
}

/** The fields of a saved link, or of a new one, which lasts a week. */
export function useLinkForm<Extra extends object, Input>(options: LinkFormOptions<Extra, Input>) {
  const { saved, extra, toExtra, schema, create, change } = options
  const values: LinkValues & Extra = {
    end: saved ? 'date' : 'week',
    expires_at: saved ? dayOf(saved.expires_at) : '',
    name: saved?.name ?? '',
    password: '',
    open: false,
    ...extra,
  }

  return useApiForm({
    saved: values,
    schema,
    toInput: (entered) => ({ ...linkInput(entered, saved), ...toExtra(entered) }),
    findMistakes: findEndMistake,
    send: (fields, { open }) =>
      saved ? change(fields, open ? { password: null } : {}) : create(fields),
    failed: saved ? 'Failed to change the link' : 'Failed to create the link',
  })
}

const findEndMistake = ({ end, expires_at }: LinkValues) =>
  end === 'date' && endOf(expires_at) === undefined ? { expires_at: 'Choose a last day' } : {}

/** What the fields mean for the host. `password` of null is sent apart: no new link takes it. */
function linkInput(
  { end, expires_at, name, password, open }: LinkValues,
  saved: SavedLink | undefined,
) {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  // A link that ends during its last day keeps its time, unless the person changes the day.
  const isSameDay = saved && expires_at === dayOf(saved.expires_at)
  const date = isSameDay ? saved.expires_at : endOf(expires_at)
  // The host knows the usual time of a new link.
  const until = { day: inDays(1), week: saved ? inDays(7) : undefined, date }[end]

  return {
    name,
    ...(until !== undefined && { expires_at: until }),
    ...(password !== '' && !open && { password }),
  }
}
