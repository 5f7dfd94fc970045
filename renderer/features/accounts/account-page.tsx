import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { useSession } from '../../lib/session/session'
import { Page } from '../../ui/layout/page'
import { Time } from '../../ui/text/time'
import { AccountSessions } from './account-sessions'
import { openPasswordChange } from './open-password-change'

/** The account of the signed-in person: name, password and sessions, then `children`. */
export function AccountPage({ children }: PropsWithChildren) {
  const { user } = useSession()
  if (!user) return null

  return (
    <Page title="Account" description="Your name and password, and where you are signed in.">
      <Stack gap="xl">
        <Paper withBorder px="md" py="sm">
          <Group justify="space-between" gap="sm">
            <Stack gap={2} miw={0}>
              <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
                {user.username}
              </Title>
              <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {user.email}
              </Text>
              <Text size="sm" c="dimmed">
                {user.tier_name} tier · Registered <Time value={user.created_at} />
              </Text>
            </Stack>
            <Button variant="default" onClick={() => void openPasswordChange()}>
              Change password
            </Button>
          </Group>
        </Paper>
        <AccountSessions />
        {children}
      </Stack>
    </Page>
  )
}
