import { Modal, TextInput } from '@mantine/core'
import { releaseFieldsSchema, type Release } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'

interface MoveReleaseProps {
  release: Release
  onMove: (channel: string) => void
  onClose: () => void
}

/** Asks for the name of a channel. */
export function MoveRelease({ release: { version }, onMove, onClose }: MoveReleaseProps) {
  const form = useApiForm({
    saved: { channel: '' },
    schema: releaseFieldsSchema.pick({ channel: true }),
    findMistakes: ({ channel }) => (channel.trim() === '' ? { channel: 'Enter a channel' } : {}),
    send: async ({ channel }) => {
      onMove(channel)
      onClose()
    },
    failed: 'The release could not be moved',
  })

  return (
    <Modal opened onClose={onClose} title={`Move ${version}`} returnFocus={false}>
      <FormFrame form={form} submit="Move" onCancel={onClose}>
        <TextInput
          label="Channel"
          description="A name of your own, such as early-birds"
          data-autofocus
          autoComplete="off"
          maxLength={32}
          {...form.getInputProps('channel')}
        />
      </FormFrame>
    </Modal>
  )
}
