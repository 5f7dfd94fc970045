import { modals } from '@mantine/modals'
import { rememberControl } from '../../ui/dialog/return-focus'
import { ShownOnce } from '../../ui/dialog/shown-once'

/** A stray click or key must not dismiss a password that is shown only once. */
export function showNewPassword(username: string, password: string): void {
  const dialog = modals.open({
    title: `New password of ${username}`,
    returnFocus: false,
    onClose: rememberControl(),
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <ShownOnce
        value={password}
        label="New password"
        copyLabel="Copy password"
        title="Copy this password now"
        text={
          `It is shown only once. Hand it to ${username} in person or by a message that only ` +
          'they read, and ask them to change it.'
        }
        onDone={() => modals.close(dialog)}
      />
    ),
  })
}
