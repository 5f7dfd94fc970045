import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Project, Release } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { notifySuccess } from '../../ui/feedback/notify'
import { FormFrame } from '../../ui/form-frame'
import { ChannelField } from './channel-field'
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

export function EditRelease({
  project: { project_id },
  release,
  channels,
  onClose,
}: EditReleaseProps) {
  const client = useClient()
  const cache = useQueryClient()

  const { version, channel, notes } = release
  const form = useReleaseForm({
    draft: `release.${project_id}.${version}`,
    saved: { version, channel, notes, isDraft: false },
    failed: 'The release could not be saved',
    send: async (values) => {
      const changed =
        values.channel === '' || values.channel === channel ? {} : { channel: values.channel }
      await client.releases.update({ id: project_id, version, notes: values.notes, ...changed })
      await refreshReleases(cache)
      notifySuccess(`The release ${version} is saved`)
      onClose()
    },
  })

  return (
    <Modal opened onClose={onClose} title={`Edit ${version}`} size="lg" returnFocus={false}>
      <FormFrame form={form} submit="Save" onCancel={onClose}>
        {/* Above the notes, so that its list does not cover the button. */}
        <ChannelField channels={channels} {...form.getInputProps('channel')} />
        <NotesField {...form.getInputProps('notes')} data-autofocus />
      </FormFrame>
    </Modal>
  )
}
