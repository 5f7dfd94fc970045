import { Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

/** Warnings as a list of sentences, in a row or card. */
export function WarningList({
  warnings,
}: {
  warnings: readonly { code: string; message: string }[]
}) {
  if (warnings.length === 0) return null

  return (
    <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }} aria-label="Warnings">
      {warnings.map(({ code, message }) => (
        <Group key={code} component="li" gap={6} wrap="nowrap" align="flex-start">
          <IconAlertTriangle
            size={16}
            color="var(--mantine-color-orange-light-color)"
            style={{ flexShrink: 0, marginTop: 1 }}
            aria-hidden
          />
          <Text size="xs" component="bdi" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
