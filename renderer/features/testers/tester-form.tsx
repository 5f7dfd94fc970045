import { DAY_MS } from '../../../server/contract/limits'
import { Autocomplete, Checkbox, TextInput } from '@mantine/core'
import type { Project, TesterLink } from '../../../server/contract'
import { TESTER_DAYS } from '../../../server/contract/limits'
import { dayOf } from '../../lib/forms/last-day'
import { FormFrame } from '../../ui/form-frame'
import { Warning } from '../../ui/feedback/warning'
import { PasswordField } from '../../ui/password-field'
import { plainInput } from '../../ui/plain-input'
import { useNow } from '../../ui/text/use-now'
import { useTesterForm } from './use-tester-form'

const usualChannels = ['beta', 'nightly', 'stable']

interface TesterFormProps {
  project: Project
  /** Undefined: a new link. */
  saved: TesterLink | undefined
  onCreated: (path: string) => void
  onClose: () => void
}

export function TesterForm({ project, saved, onCreated, onClose }: TesterFormProps) {
  const { project_id: projectId } = project
  const form = useTesterForm({ projectId, saved, onCreated, onChanged: onClose })
  const { channel } = form.values
  const now = useNow().getTime()
  const inDays = (days: number) => dayOf(new Date(now + days * DAY_MS).toISOString())

  return (
    <FormFrame
      form={form}
      submit={saved ? 'Save changes' : 'Create tester link'}
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        description="Who the link is for. Testers see this name."
        placeholder="Beta group, Berlin"
        withAsterisk
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Autocomplete
        label="Channel"
        description="Testers get this channel and stable."
        data={usualChannels}
        {...plainInput}
        {...form.getInputProps('channel')}
      />
      {!offersTesters(project, channel) && <NothingToSee channel={channel} />}
      <TextInput
        type="date"
        label="Last day"
        description="The link works until the end of this day, for a year at most."
        min={inDays(0)}
        max={inDays(TESTER_DAYS.most)}
        {...form.getInputProps('expires_at')}
      />
      <PasswordField
        label={saved?.has_password ? 'New password' : 'Password'}
        description={
          saved?.has_password
            ? 'Leave empty to keep the password.'
            : 'Optional. Testers enter it before they see anything.'
        }
        autoComplete="new-password"
        disabled={form.values.open}
        {...form.getInputProps('password')}
      />
      {saved?.has_password && (
        <Checkbox
          label="Remove the password"
          {...form.getInputProps('open', { type: 'checkbox' })}
        />
      )}
    </FormFrame>
  )
}

/** Whether testers of a channel find anything to download. */
const offersTesters = ({ downloads }: Project, channel: string): boolean =>
  downloads.some(({ release, is_public }) =>
    release === null
      ? is_public
      : release.state === 'published' && [channel, 'stable'].includes(release.channel),
  )

const NothingToSee = ({ channel }: { channel: string }) => (
  <Warning title="Testers see nothing yet">
    This project has no published release in {channel === 'stable' ? '' : `${channel} or `}stable,
    and testers get no private files without a version. For a single file, use Share link… in its
    menu.
  </Warning>
)
