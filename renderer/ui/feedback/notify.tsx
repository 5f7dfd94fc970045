import type { NotificationData } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { loadPart } from '../../lib/browser/load-part'
import { MessageAction } from './message-action'

const CLEARS_AFTER = 3000
/** Long enough to read it and reach a button. */
const CHOICE_CLEARS_AFTER = 8000
const PLACE = 'message'

/** The place of the messages is a live region already: one in another is read twice. */
export const QUIET = 'presentation'

/** Whether the current message is a failure. */
let showsFailure = false

export function notifySuccess(text: string): void {
  show({
    message: text,
    color: 'quay',
    icon: <IconCheck size={18} />,
    autoClose: CLEARS_AFTER,
    role: QUIET,
  })
}

/** Reports a success, and offers what people often do next. */
export function notifyNext(text: string, label: string, onNext: () => void): void {
  const next = () => {
    hideMessage()
    onNext()
  }

  show({
    message: <MessageAction text={text} label={label} onClick={next} isLong={false} />,
    color: 'quay',
    icon: <IconCheck size={18} />,
    autoClose: CHOICE_CLEARS_AFTER,
    role: QUIET,
  })
}

/** Says something with a button that continues from there, and with an icon of its own. */
export function notifyChoice(message: ReactNode): void {
  show({ message, color: 'orange', autoClose: CHOICE_CLEARS_AFTER, role: 'status' })
}

/** Reports a failure until it is dismissed or replaced, and offers Retry where that may help. */
export function notifyError(text: string, onRetry?: () => void): void {
  const retry = () => {
    hideMessage()
    onRetry?.()
  }

  const message = onRetry ? (
    <MessageAction text={text} label="Retry" onClick={retry} isLong />
  ) : (
    text
  )

  show({
    message,
    color: 'red.8',
    icon: <IconAlertTriangle size={18} />,
    autoClose: false,
    role: 'alert',
  })
}

export function forgetError(): void {
  if (showsFailure) hideMessage()
}

// From the place of the messages, which comes after the first view: it must be here when the host
// is away.
const loadMessages = async () => (await loadPart(() => import('./message-place'))).notifications

/** Mantine keeps the timer of a replaced message unless the new duration differs. */
let isOdd = false

/** Replaces the last message. */
export function show(message: Omit<NotificationData, 'id'>): void {
  showsFailure = message.role === 'alert'
  isOdd = !isOdd

  const { autoClose = false } = message
  const duration = typeof autoClose === 'number' ? autoClose + Number(isOdd) : autoClose
  void loadMessages().then((messages) => {
    messages.hide(PLACE)
    messages.show({
      ...message,
      autoClose: duration,
      id: PLACE,
      closeButtonProps: { 'aria-label': 'Dismiss message' },
    })
  })
}

export const hideMessage = (): void => void loadMessages().then((messages) => messages.hide(PLACE))
