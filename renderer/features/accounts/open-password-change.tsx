import { loadPart } from '../../lib/browser/load-part'
import { placeForDialogs } from '../../ui/dialog/dialog-readiness'
import { notifyError } from '../../ui/feedback/notify'
import { rememberControl } from '../../ui/dialog/return-focus'

export async function openPasswordChange(): Promise<void> {
  const returnFocus = rememberControl()

  try {
    const loading = loadPart(() => import('./password-change'))
    const [{ PasswordChange }, modals] = await Promise.all([loading, placeForDialogs])
    const dialog = modals.open({
      title: 'Change password',
      returnFocus: false,
      onClose: returnFocus,
      children: <PasswordChange onDone={() => modals.close(dialog)} />,
    })
  } catch (cause) {
    console.error('The form could not be loaded', cause)
    notifyError('The form could not be loaded. Reload the page.')
  }
}
