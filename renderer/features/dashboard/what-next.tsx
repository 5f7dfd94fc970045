import { Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import classes from './dashboard.module.css'
import type { Suggestion } from './suggestions'

export function WhatNext({ suggestions }: { suggestions: readonly Suggestion[] }) {
  if (suggestions.length === 0) return null
  return (
    <Stack component="section" gap="sm" aria-labelledby="what-next">
      <Title order={2} size="h3" id="what-next">
        Suggestions
      </Title>
      <ul className={classes.suggestions}>
        {suggestions.map(({ to, title, text }) => (
          <li key={to + title}>
            <UnstyledButton component={Link} to={to} className={classes.suggestion}>
              <span className={classes.words}>
                <Text component="span" display="block" fw={600} truncate>
                  {title}
                </Text>
                <Text component="span" display="block" c="dimmed" size="xs">
                  {text}
                </Text>
              </span>
              <IconChevronRight size={18} aria-hidden />
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
