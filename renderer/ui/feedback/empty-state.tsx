import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: Icon
  title: string
  text: string
  action?: ReactNode
}

export function EmptyState({ icon: Picture, title, text, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon size={48} variant="light" aria-hidden>
        <Picture size={24} stroke={1.5} />
      </ThemeIcon>
      <Title order={2} size="h3" mt={4}>
        {title}
      </Title>
      <Text c="dimmed" maw={440} style={{ textWrap: 'balance' }}>
        {text}
      </Text>
      {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
