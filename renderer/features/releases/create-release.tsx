import { Checkbox, Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Project } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { notifySuccess } from '../../ui/feedback/notify'
import { FormFrame } from '../../ui/form-frame'
import { ChannelField } from './channel-field'
import { NotesField } from './notes-field'
import { refreshReleases } from './use-release-actions'
import { useReleaseForm } from './use-release-form'

interface DialogProps {
  project: Project
  /** Of the project. */
  channels: readonly string[]
  onClose: () => void
}

export function CreateRelease({ opened, ...props }: DialogProps & { opened: boolean }) {
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      title="Create release"
      size="lg"
      returnFocus={false}
    >
      <CreateForm {...props} />
    </Modal>
  )
}

function CreateForm({ project: { project_id }, channels, onClose }: DialogProps) {
  const client = useClient()
  const cache = useQueryClient()
  const form = useReleaseForm({
    draft: `release.${project_id}`,
    saved: { version: '', channel: '', notes: '', isDraft: false },
    failed: 'The release could not be created',
    send: async ({ version, channel, notes, isDraft }) => {
      const state = isDraft ? 'draft' : 'published'
      await client.releases.create({
        id: project_id,
        version,
        notes,
        state,
        ...(channel === '' ? {} : { channel }),
      })

      await refreshReleases(cache)
      notifySuccess(isDraft ? `Created draft ${version}` : `Created release ${version}`)
      onClose()
    },
  })

  return (
    <FormFrame
      form={form}
      submit={form.values.isDraft ? 'Create draft' : 'Create release'}
      onCancel={onClose}
    >
      <TextInput
        label="Version"
        withAsterisk
        data-autofocus
        autoComplete="off"
        placeholder="1.4.0"
        {...form.getInputProps('version')}
      />
      <ChannelField
        channels={channels}
        description="Leave empty to use beta for a version such as 1.4.0-rc.1, otherwise stable."
        {...form.getInputProps('channel')}
      />
      <NotesField {...form.getInputProps('notes')} />
      <Checkbox
        label="Keep as a draft"
        description="Only members of the project see it until you publish it."
        {...form.getInputProps('isDraft', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}
