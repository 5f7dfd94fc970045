import { Modal, Radio, Stack, Text } from '@mantine/core'
import type { MirrorView } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { formatSize } from '../../lib/texts/format'
import { FormFrame } from '../../ui/form-frame'
import { counted, mirrorWords } from './bucket-words'

export type Copies = 'delete' | 'keep'

interface SwitchOffDialogProps {
  view: MirrorView
  opened: boolean
  onClose: () => void
  onConfirm: (copies: Copies) => Promise<void>
}

/** Asks what happens to the copies. */
export function SwitchOffDialog({ opened, onClose, ...props }: SwitchOffDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Switch off downloads from the bucket" returnFocus={false}>
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
    failed: mirrorWords.switchOffFailed,
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
        From now on, all downloads come from this computer. Your files and links stay, and Slipway forgets the keys.
      </Text>
      <Radio.Group label={`The bucket has ${counted(there)}, ${formatSize(bytes)}`} {...form.getInputProps('copies')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="delete"
            label="Delete the copies"
            description={canDelete ? mirrorWords.deleteCopies : mirrorWords.deleteNeedsKeys}
            disabled={!canDelete}
          />
          <Radio value="keep" label="Keep the copies" description={mirrorWords.keepCopies} />
        </Stack>
      </Radio.Group>
    </FormFrame>
  )
}
