import type { ComponentType } from 'react'
import { loadPart } from '../../lib/browser/load-part'
import { placeForDialogs } from '../../ui/dialog/dialog-readiness'
import { notifyError } from '../../ui/feedback/notify'
import { rememberControl } from '../../ui/dialog/return-focus'

type Form = ComponentType<{ onDone: () => void }>

/** Opens a form of the account in a dialog. */
export async function openForm(
  title: string,
  load: () => Promise<Form>,
  size: 'md' | 'lg' = 'md',
): Promise<void> {
  const returnFocus = rememberControl()

  try {
    const [Form, modals] = await Promise.all([loadPart(load), placeForDialogs])
    const dialog = modals.open({
      title,
      size,
      returnFocus: false,
      onClose: returnFocus,
      children: <Form onDone={() => modals.close(dialog)} />,
    })
  } catch (cause) {
    console.error('The form could not be loaded', cause)
    notifyError('The form could not be loaded. Reload the page.')
  }
}
