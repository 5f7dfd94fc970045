import { Text } from '@mantine/core'
import { wrappingLabel } from '../wrapping-label'
import { placeForDialogs } from './dialog-readiness'
import { rememberControl } from './return-focus'

interface Question {
  title: string
  message: string
  confirmLabel: string
  danger?: boolean
}

/** Asks before an action. Escape, a click outside and Cancel answer no. */
export const confirm = async (question: Question): Promise<boolean> =>
  (await choose({ ...question, otherLabel: 'Cancel' })) === 'confirm'

/** Asks which of two actions to take. Escape and a click outside answer neither. */
export async function choose({
  title,
  message,
  confirmLabel,
  otherLabel,
  danger = false,
}: Question & { otherLabel: string }): Promise<'confirm' | 'other' | undefined> {
  const returnFocus = rememberControl()
  const modals = await placeForDialogs

  return new Promise((answer) => {
    modals.openConfirmModal({
      title,
      children: <Text>{message}</Text>,
      labels: { confirm: confirmLabel, cancel: otherLabel },
      confirmProps: { color: danger ? 'red.8' : 'quay', ...wrappingLabel },
      cancelProps: wrappingLabel,
      onConfirm: () => answer('confirm'),
      onCancel: () => answer('other'),
      returnFocus: false,
      onClose: () => {
        returnFocus()
        answer(undefined)
      },
    })
  })
}
