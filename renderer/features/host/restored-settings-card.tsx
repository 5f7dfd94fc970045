import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { RestoredSettings } from '../../../server/contract'
import { useHostSettings, useSettleRestored } from '../../lib/host/host-settings'
import { ValueList } from '../../ui/text/value-list'

export function RestoredSettingsCard() {
  const restored = useHostSettings().data?.restored
  const { mutate, isPending, variables } = useSettleRestored()
  if (!restored) return null

  return (
    <Card component="section" aria-label="Settings from the backup">
      <Stack gap="md">
        <Title order={2} size="h3">
          Settings from the backup
        </Title>
        <Text>
          This host was restored from a backup. These settings point to other computers, so they are
          not in force. Accept them only if you recognize them.
        </Text>
        <ValueList label="Restored settings" values={linesOf(restored)} />
        <Group gap="xs">
          <Button
            loading={isPending && variables}
            disabled={isPending}
            onClick={() => mutate(true)}
          >
            Accept
          </Button>
          <Button
            variant="default"
            loading={isPending && !variables}
            disabled={isPending}
            onClick={() => mutate(false)}
          >
            Discard
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

function linesOf({
  public_url,
  trusted_proxies,
  webhook_networks,
  npm_registry,
  python_index,
  update_feed,
  mail,
  single_sign_on,
  internet,
  mirror,
}: RestoredSettings): [label: string, value: string][] {
  const lines: [string, string | null][] = [
    ['Public URL', public_url],
    ['Trusted proxies', trusted_proxies.length === 0 ? null : trusted_proxies.join(', ')],
    [
      'Webhooks on your network',
      webhook_networks.length === 0 ? null : webhook_networks.join(', '),
    ],
    ['Other npm packages come from', npm_registry === '' ? null : npm_registry],
    ['Other Python packages come from', python_index === '' ? null : python_index],
    ['Update feed', update_feed],
    ['Mail server', mail],
    ['Single sign-on', single_sign_on],
    ['From anywhere', internet],
    ['Downloads from a bucket', mirror],
  ]

  return lines.filter((line): line is [string, string] => line[1] !== null)
}
