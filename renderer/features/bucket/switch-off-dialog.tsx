import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { MirrorView } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { FormAlert } from '../../ui/feedback/form-alert'
import { counted, mirrorWords } from './bucket-words'

interface SwitchOffDialogProps {
  view: MirrorView
  opened: boolean
  isPending: boolean
  /** Why it failed. */
  failure: string | undefined
  onClose: () => void
  onConfirm: (copies: 'delete' | 'keep') => void
}

/** Asks what happens to the copies. */
export function SwitchOffDialog({ opened, onClose, ...props }: SwitchOffDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Switch off downloads from the bucket" returnFocus={false}>
      <Question {...props} onClose={onClose} />
    </Modal>
  )
}

function Question({ view, isPending, failure, onClose, onConfirm }: Omit<SwitchOffDialogProps, 'opened'>) {
  const canDelete = view.keys_set
  const [copies, setCopies] = useState<'delete' | 'keep'>(canDelete ? 'delete' : 'keep')
  const { there, there_bytes: bytes } = view.copies
  return (
    <Stack gap="md">
      {failure !== undefined && <FormAlert text={failure} />}
      <Text>
        From now on, all downloads come from this computer. Your files and links stay, and Slipway forgets the keys.
      </Text>
      <Radio.Group
        label={`The bucket has ${counted(there)}, ${formatSize(bytes)}`}
        value={copies}
        onChange={(value) => setCopies(value === 'keep' ? 'keep' : 'delete')}
      >
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
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button color={copies === 'delete' ? 'red.8' : 'quay'} loading={isPending} onClick={() => onConfirm(copies)}>
          {copies === 'delete' ? 'Switch off and delete' : 'Switch off'}
        </Button>
      </Group>
    </Stack>
  )
}
