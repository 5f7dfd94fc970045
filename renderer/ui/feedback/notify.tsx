import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { MessageAction } from './message-action'

const CLEARS_AFTER = 3000
const PLACE = 'message'

/** Whether the current message is a failure. */
let showsFailure = false

export function notifySuccess(text: string): void {
  show({ message: text, color: 'quay', icon: <IconCheck size={18} />, autoClose: CLEARS_AFTER, role: 'status' })
}

/** Reports a failure until it is dismissed or replaced, and offers Retry where that may help. */
export function notifyError(text: string, onRetry?: () => void): void {
  const retry = () => {
    notifications.hide(PLACE)
    onRetry?.()
  }
  const message = onRetry ? <MessageAction text={text} label="Retry" onClick={retry} isLong /> : text
  show({ message, color: 'red.8', icon: <IconAlertTriangle size={18} />, autoClose: false, role: 'alert' })
}

export function forgetError(): void {
  if (showsFailure) notifications.hide(PLACE)
}

function show(message: Omit<Parameters<typeof notifications.show>[0], 'id'>): void {
  showsFailure = message.role === 'alert'
  notifications.hide(PLACE)
  notifications.show({ ...message, id: PLACE, closeButtonProps: { 'aria-label': 'Dismiss message' } })
}
