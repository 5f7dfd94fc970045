import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useHead } from '../../lib/texts/head'

interface NothingHereProps {
  icon: Icon
  title: string
  text: string
  actions: ReactNode
}

export function NothingHere({ icon: Picture, title, text, actions }: NothingHereProps) {
  useHead({ title, description: text, robots: 'noindex' })

  return (
    <Stack align="center" ta="center" gap="sm" px="md" py={96}>
      <ThemeIcon size={56} variant="light" color="gray" aria-hidden>
        <Picture size={28} stroke={1.5} />
      </ThemeIcon>
      <Title order={1} mt="xs">
        {title}
      </Title>
      <Text c="dimmed" maw={440} size="md">
        {text}
      </Text>
      <Group mt="md" justify="center">
        {actions}
      </Group>
    </Stack>
  )
}
