import {
  Checkbox,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  type CheckboxProps,
  type PasswordInputProps,
  type TextInputProps,
} from '@mantine/core'
import { DAY_MS } from '../../../server/contract/limits'
import { dayOf, endOf } from '../../lib/forms/last-day'
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

interface SavedLink {
  name: string
  expires_at: string
  has_password: boolean
}

interface EndFieldsProps {
  values: LinkValues
  days: { usual: number; most: number }
  /** Of the field `expires_at`. */
  lastDay: TextInputProps
  onEnd: (end: LinkValues['end']) => void
  onDay: (day: string) => void
}

/** When a link ends. */
export function EndFields({ values, days, lastDay, onEnd, onDay }: EndFieldsProps) {
  const now = useNow().getTime()
  const inDays = (count: number) => dayOf(new Date(now + count * DAY_MS).toISOString())

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
            onEnd(end)
            if (end === 'date' && values.expires_at === '') onDay(inDays(days.usual))
          }}
        />
      </Stack>
      {values.end === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          description="The link works until the end of this day, for a year at most."
          min={inDays(0)}
          max={inDays(days.most)}
          {...lastDay}
        />
      )}
    </>
  )
}

interface LinkPasswordProps {
  saved: SavedLink | undefined
  values: LinkValues
  /** Of the fields of these names. */
  password: PasswordInputProps
  open: CheckboxProps
}

/** The password of a new link, or a new one of a saved link, which can be removed. */
export function LinkPasswordFields({ saved, values, password, open }: LinkPasswordProps) {
  const hasOne = saved?.has_password === true

  return (
    <>
      <PasswordField
        label={hasOne ? 'New password' : 'Password'}
        description={
          hasOne
            ? 'Leave empty to keep the password.'
            : 'Optional. Send it another way than the link.'
        }
        autoComplete="new-password"
        disabled={values.open}
        {...password}
      />
      {hasOne && <Checkbox label="Remove the password" {...open} />}
    </>
  )
}

/** The fields of a saved link, or of a new one, which lasts a week. */
export const linkValues = (saved: SavedLink | undefined): LinkValues => ({
  end: saved ? 'date' : 'week',
  expires_at: saved ? dayOf(saved.expires_at) : '',
  name: saved?.name ?? '',
  password: '',
  open: false,
})

export const findEndMistake = ({ end, expires_at }: LinkValues) =>
  end === 'date' && endOf(expires_at) === undefined ? { expires_at: 'Choose a last day' } : {}

/** What the fields mean for the host. `password` of null is sent apart: no new link takes it. */
export function linkInput(
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
