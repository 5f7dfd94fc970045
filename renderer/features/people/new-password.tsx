import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { rememberControl } from '../../ui/dialog/return-focus'
import { ShownOnce } from '../../ui/dialog/shown-once'

export function showNewPassword(username: string, password: string): void {
  show({
    title: `New password of ${username}`,
    value: password,
    what: 'password',
    text:
      `Hand it to ${username} in person or by a message that only they read, and ask them to ` +
      'change it.',
  })
}

export function showPasswordLink(username: string, url: string): void {
  show({
    title: `Link for a new password of ${username}`,
    value: url,
    what: 'link',
    text:
      'It works once, within an hour, for anyone who has it. Send it by a message that only ' +
      `${username} reads.`,
    notice: <OnlyThisComputer />,
  })
}

interface Secret {
  title: string
  value: string
  what: 'password' | 'link'
  text: string
  notice?: ReactNode
}

/** A stray click or key must not dismiss what is shown only once. */
function show({ title, value, what, text, notice }: Secret): void {
  const dialog = modals.open({
    title,
    returnFocus: false,
    onClose: rememberControl(),
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <ShownOnce
        value={value}
        label={`New ${what}`}
        what={what}
        text={text}
        notice={notice}
        onDone={() => modals.close(dialog)}
      />
    ),
  })
}
