import { Button, Group, Text } from '@mantine/core'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useHostSettings } from '../../lib/host/host-settings'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { Lazily } from '../../ui/feedback/lazily'
import { Warning } from '../../ui/feedback/warning'

const SecretDialog = lazyPage(() => import('./secret-dialog'), 'SecretDialog')
const MailTestDialog = lazyPage(() => import('./mail-test-dialog'), 'MailTestDialog')

/** The password of the mail server, and a test. `isSaved`: the fields above are in force. */
export function MailNotes({ isSaved }: { isSaved: boolean }) {
  const password = useLateDialog()
  const test = useLateDialog()
  const settings = useHostSettings().data?.settings
  if (!settings) return null
  const { mail_problem: problem, mail_password_set: hasPassword, mail_server: server } = settings
  const { mails_dropped: dropped } = settings

  return (
    <>
      {problem !== null && <Warning title="The last email was not sent">{problem}</Warning>}
      {dropped > 0 && (
        <Text c="dimmed" size="sm">
          {dropped === 1 ? '1 email was' : `${dropped} emails were`} dropped since the host started:
          the mail server refused mail or took too long, or too many emails were waiting.
        </Text>
      )}
      {server === '' && (
        <Text c="dimmed" size="sm">
          With a mail server, testers and reporters can ask for emails, and people get links for
          forgotten passwords and hear of changes to their accounts.
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={password.open}>
          {hasPassword ? 'Change the mail password' : 'Set a mail password'}
        </Button>
        <Button variant="default" disabled={!isSaved} onClick={test.open}>
          Send a test message
        </Button>
      </Group>
      <Lazily>
        {password.isNeeded && (
          <SecretDialog
            name="mail_password"
            label="Mail password"
            opened={password.isOpen}
            onClose={password.close}
          />
        )}
        {test.isNeeded && <MailTestDialog opened={test.isOpen} onClose={test.close} />}
      </Lazily>
    </>
  )
}
