import { modals } from '@mantine/modals'
import { Button, Group, Stack } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import { refresh } from '../../../lib/client/query-client'
import { queryKeys } from '../../../lib/client/query-keys'
import { rememberControl } from '../../../ui/dialog/return-focus'
import { notifySuccess } from '../../../ui/feedback/notify'
import { Warning } from '../../../ui/feedback/warning'
import { CopyButton } from '../../../ui/text/copy-button'
import classes from './factors.module.css'

/** Ends adding a factor: with the first one come recovery codes. */
export async function showAdded(
  cache: QueryClient,
  codes: readonly string[] | null,
  text: string,
): Promise<void> {
  if (codes) showRecoveryCodes(codes)
  notifySuccess(text)
  await refresh(cache, queryKeys.factors, queryKeys.accountSessions, queryKeys.session)
}

/** A stray click or key must not dismiss what is shown only once. */
export function showRecoveryCodes(codes: readonly string[]): void {
  const dialog = modals.open({
    title: 'Recovery codes',
    size: 'lg',
    returnFocus: false,
    onClose: rememberControl(),
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: <RecoveryCodes codes={codes} onDone={() => modals.close(dialog)} />,
  })
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Stack gap="md" className="recovery-codes">
      <Warning title="Save these recovery codes">
        They are shown only once. If you lose your phone or passkey, use a code to sign in to{' '}
        {window.location.host}. Each code works once. Print them, or save them in a password
        manager.
      </Warning>
      <ol className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Group justify="flex-end" gap="xs" className={classes.actions ?? ''}>
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        <CopyButton value={codes.join('\n')} label="Copy codes" look="main" />
      </Group>
    </Stack>
  )
}
