import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

/** Messages of success go away by themselves after this long. */
const CLEARS_AFTER = 3000
const PLACE = 'message'

/** Whether the message that came last is one of a failure. */
let tellsFailure = false

/** Says that something worked, for three seconds. */
export function notifySuccess(text: string): void {
  show({ message: text, color: 'quay', icon: <IconCheck size={18} />, autoClose: CLEARS_AFTER, role: 'status' })
}

/** Says what failed. It stays until the reader dismisses it or the next message takes its place. */
export function notifyError(text: string): void {
  show({ message: text, color: 'red.8', icon: <IconAlertTriangle size={18} />, autoClose: false, role: 'alert' })
}

/** Takes away what failed before: the reader tries again, or something else. */
export function forgetError(): void {
  if (tellsFailure) notifications.hide(PLACE)
}

/** One message at a time: the newest is the one that matters. */
function show(message: Omit<Parameters<typeof notifications.show>[0], 'id'>): void {
  tellsFailure = message.role === 'alert'
  notifications.hide(PLACE)
  notifications.show({ ...message, id: PLACE, closeButtonProps: { 'aria-label': 'Dismiss message' } })
}
