import { ActionIcon, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import classes from './dashboard.module.css'
import type { Suggestion } from './suggestions'

interface WhatNextProps {
  suggestion: Suggestion | undefined
  onDismiss: (id: string) => void
}

export function WhatNext({ suggestion, onDismiss }: WhatNextProps) {
  if (!suggestion) return null
  const { id, to, title, text } = suggestion

  return (
    <Stack component="section" gap="sm" aria-labelledby="what-next">
      <Title order={2} size="h3" id="what-next">
        Suggestion
      </Title>
      <div className={classes.dismissible}>
        <UnstyledButton component={Link} to={to} className={classes.suggestion}>
          <Text component="span" display="block" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text component="span" display="block" c="dimmed" size="xs">
            {text}
          </Text>
        </UnstyledButton>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Dismiss: ${title}`}
          onClick={() => onDismiss(id)}
        >
          <IconX size={16} />
        </ActionIcon>
      </div>
    </Stack>
  )
}
