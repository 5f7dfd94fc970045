import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router-dom'
import { failureText } from '../../lib/client/failure'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useSession } from '../../lib/session/session'
import { useLinkToken } from '../../lib/hooks/use-link-token'
import { useManagesHost } from '../../lib/session/use-manages-host'
import { paths } from '../../paths'
import { Page } from '../../ui/layout/page'
import { CodeBlock } from '../../ui/text/code-block'

/** /manage?link=…: lets the host account manage the host in this browser. */
export function ManagePage() {
  const link = useLinkToken('link')

  const isHost = useSession().user?.is_host ?? false
  const manages = useManagesHost()

  return (
    <Page title="Manage this host" width="narrow">
      <Stack gap="md" align="flex-start">
        {manages && <Managing />}
        {!manages && link === undefined && <HowTo />}
        {!manages && link !== undefined && (isHost ? <Begin link={link} /> : <OtherAccount />)}
      </Stack>
    </Page>
  )
}

function Begin({ link }: { link: string }) {
  const { mutate, error, isPending } = useBegin()

  return (
    <>
      {error && (
        <Alert
          role="alert"
          color="red"
          variant="light"
          icon={<IconAlertTriangle />}
          title="This browser cannot do that"
        >
          {failureText(error, { failed: 'Failed to start managing the host' })}
        </Alert>
      )}
      <Text>
        This browser can then change the settings, people and backups of the host, until you log
        out, for 12 hours at most.
      </Text>
      <Button loading={isPending} onClick={() => mutate(link)}>
        Manage this host
      </Button>
    </>
  )
}

function useBegin() {
  const navigate = useNavigate()
  return useCall((client, link: string) => client.manage.begin({ link }), {
    after: async (cache) => {
      await refresh(cache, queryKeys.session)
      await navigate(paths.host, { replace: true })
    },
  })
}

function Managing() {
  return (
    <>
      <Text>This browser manages the host.</Text>
      <Button component={Link} to={paths.host}>
        Open the host page
      </Button>
    </>
  )
}

function OtherAccount() {
  const { user } = useSession()
  return (
    <Text>
      You are signed in as {user?.username}. Log out, open the link again, and sign in with the host
      account.
    </Text>
  )
}

function HowTo() {
  return (
    <>
      <Text>On the host computer, run this command and open the link it prints.</Text>
      <CodeBlock code="slipway manage" label="The command" />
      <Text c="dimmed">
        A host that you run from its sources: <Code>npm run slipway -- manage</Code>
      </Text>
    </>
  )
}
