import { Modal, Radio, Stack, Text } from '@mantine/core'
import type { BucketView } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { formatQuantity, formatSize } from '../../lib/texts/format'
import { FormFrame } from '../../ui/form-frame'

export type Copies = 'delete' | 'keep'

interface SwitchOffDialogProps {
  view: BucketView
  opened: boolean
  onClose: () => void
  onConfirm: (copies: Copies) => Promise<void>
}

/** Asks what happens to the copies. */
export function SwitchOffDialog({ opened, onClose, ...props }: SwitchOffDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Switch off downloads from the bucket"
      returnFocus={false}
    >
      <Question {...props} onClose={onClose} />
    </Modal>
  )
}

function Question({ view, onClose, onConfirm }: Omit<SwitchOffDialogProps, 'opened'>) {
  const canDelete = view.keys_set
  const { there, there_bytes: bytes } = view.copies

  const form = useApiForm<{ copies: Copies }>({
    saved: { copies: canDelete ? 'delete' : 'keep' },
    send: ({ copies }) => onConfirm(copies),
    failed: 'Failed to switch off downloads from the bucket',
  })
  const isDeletion = form.values.copies === 'delete'

  return (
    <FormFrame
      form={form}
      submit={isDeletion ? 'Switch off and delete' : 'Switch off'}
      button={{ color: isDeletion ? 'red.8' : 'quay' }}
      onCancel={onClose}
    >
      <Text>
        From now on, all downloads come from this computer. Your files and links stay, and Slipway
        forgets the keys.
      </Text>
      <Radio.Group
        label={`The bucket has ${formatQuantity(there, 'copy', 'copies')}, ${formatSize(bytes)}`}
        {...form.getInputProps('copies')}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="delete"
            label="Delete the copies"
            description={
              canDelete
                ? 'Slipway deletes them now. A visitor who was just sent to the bucket has to ' +
                  'start the download again.'
                : 'Slipway cannot delete them without the keys. Enter the keys first.'
            }
            disabled={!canDelete}
          />
          <Radio
            value="keep"
            label="Keep the copies"
            description={
              'They stay in the bucket and on its bill, even if you delete a file here. To ' +
              'delete them later, use the page of your provider.'
            }
          />
        </Stack>
      </Radio.Group>
    </FormFrame>
  )
}
