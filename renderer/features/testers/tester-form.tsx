import { Autocomplete, TextInput } from '@mantine/core'
import type { Project, TesterLink } from '../../../server/contract'
import { TESTER_DAYS } from '../../../server/contract/limits'
import { FormFrame } from '../../ui/form-frame'
import { Warning } from '../../ui/feedback/warning'
import { plainInput } from '../../ui/plain-input'
import { LastDay, LinkPasswordFields } from '../access-links/link-fields'
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
      <LastDay days={TESTER_DAYS} {...form.getInputProps('expires_at')} />
      <LinkPasswordFields
        form={form}
        saved={saved}
        hint="Optional. Testers enter it before they see anything."
      />
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
    and testers cannot see private files that have no version. For a single file, use Share link… in
    its menu.
  </Warning>
)
