import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

const CLEARS_AFTER = 3000
const PLACE = 'message'

/** The place of the messages is a live region already: one in another is read twice. */
export const QUIET = 'presentation'

/** Whether the current message is a failure. */
let showsFailure = false

export function notifySuccess(text: string): void {
  show({ message: text, color: 'quay', icon: <IconCheck size={18} />, autoClose: CLEARS_AFTER, role: QUIET })
}

/** Reports a failure until it is dismissed or replaced. */
export function notifyError(text: string): void {
  show({ message: text, color: 'red.8', icon: <IconAlertTriangle size={18} />, autoClose: false, role: 'alert' })
}

export function forgetError(): void {
  if (showsFailure) notifications.hide(PLACE)
}

function show(message: Omit<Parameters<typeof notifications.show>[0], 'id'>): void {
  showsFailure = message.role === 'alert'
  notifications.hide(PLACE)
  notifications.show({ ...message, id: PLACE, closeButtonProps: { 'aria-label': 'Dismiss message' } })
}
