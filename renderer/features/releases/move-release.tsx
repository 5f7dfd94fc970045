import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { releaseFieldsSchema, type Release } from '../../../server/contract'
import { validateBy } from '../../lib/forms/validate-by'
import { DialogButtons } from './dialog-buttons'

interface MoveReleaseProps {
  release: Release
  onMove: (channel: string) => void
  onClose: () => void
}

/** Asks for the name of a channel. */
export function MoveRelease({ release: { version }, onMove, onClose }: MoveReleaseProps) {
  const form = useForm({
    initialValues: { channel: '' },
    validate: (values) =>
      values.channel.trim() === ''
        ? { channel: 'Enter a channel' }
        : validateBy(releaseFieldsSchema.pick({ channel: true }))(values),
  })
  const submit = form.onSubmit((values) => {
    onMove(releaseFieldsSchema.shape.channel.parse(values.channel))
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={`Move ${version}`} returnFocus={false}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="Channel"
            description="A name of your own, such as early-birds"
            data-autofocus
            autoComplete="off"
            maxLength={32}
            {...form.getInputProps('channel')}
          />
          <DialogButtons submit="Move" pending={false} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
