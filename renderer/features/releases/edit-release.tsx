import { Modal, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Project, Release } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { FormAlert } from '../../ui/feedback/form-alert'
import { notifySuccess } from '../../ui/feedback/notify'
import { ChannelField } from './channel-field'
import { DialogButtons } from './dialog-buttons'
import { NotesField } from './notes-field'
import { refreshReleases } from './use-release-actions'
import { useReleaseForm } from './use-release-form'

interface EditReleaseProps {
  project: Project
  release: Release
  /** Of the project. */
  channels: readonly string[]
  onClose: () => void
}

export function EditRelease({ project: { project_id }, release, channels, onClose }: EditReleaseProps) {
  const client = useClient()
  const cache = useQueryClient()
  const { version, channel, notes } = release
  const { form, submit, reset, problem } = useReleaseForm({
    draft: `release.${project_id}.${version}`,
    saved: { version, channel, notes, isDraft: false },
    failed: 'The release could not be saved',
    send: async (values) => {
      const changed = values.channel === '' || values.channel === channel ? {} : { channel: values.channel }
      await client.releases.update({ id: project_id, version, notes: values.notes, ...changed })
      await refreshReleases(cache)
      notifySuccess(`The release ${version} is saved`)
      onClose()
    },
  })
  const cancel = () => {
    reset()
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={`Edit ${version}`} size="lg" returnFocus={false}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {typeof problem === 'string' && <FormAlert text={problem} />}
          <NotesField {...form.getInputProps('notes')} data-autofocus />
          <ChannelField channels={channels} {...form.getInputProps('channel')} />
          <DialogButtons submit="Save" pending={form.submitting} onCancel={cancel} />
        </Stack>
      </form>
    </Modal>
  )
}
