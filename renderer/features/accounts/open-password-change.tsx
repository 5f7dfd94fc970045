import { modals } from '@mantine/modals'
import { messages } from '../../lib/messages'
import { notifyError } from '../../ui/notify'

/** Opens the dialog in which the signed-in person changes their password. Its code comes with the first use. */
export async function openPasswordChange(): Promise<void> {
  try {
    const { PasswordChange } = await import('./password-change')
    const dialog = modals.open({
      title: 'Change password',
      children: <PasswordChange onDone={() => modals.close(dialog)} />,
    })
  } catch (cause) {
    console.error('The form could not be loaded', cause)
    notifyError(messages.account.passwordChangeUnavailable)
  }
}
