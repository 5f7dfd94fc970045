import { Text } from '@mantine/core'
import { placeForDialogs } from './dialog-readiness'
import { rememberControl } from './return-focus'

interface Question {
  title: string
  message: string
  confirmLabel: string
  danger?: boolean
}

/** Asks before an action. Escape, a click outside and Cancel answer no. */
export async function confirm({ title, message, confirmLabel, danger = false }: Question): Promise<boolean> {
  const returnFocus = rememberControl()
  const modals = await placeForDialogs
  return new Promise((answer) => {
    modals.openConfirmModal({
      title,
      children: <Text>{message}</Text>,
      labels: { confirm: confirmLabel, cancel: 'Cancel' },
      confirmProps: { color: danger ? 'red.8' : 'quay' },
      onConfirm: () => answer(true),
      returnFocus: false,
      onClose: () => {
        returnFocus()
        answer(false)
      },
    })
  })
}
