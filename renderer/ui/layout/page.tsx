import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHead } from '../../lib/texts/head'
import classes from './page.module.css'

interface PageProps {
  title: string
  /** One sentence under the title; also the description for search engines. */
  description?: string
  actions?: ReactNode
  /** `narrow`: a single form. `wide` (the default): lists and tables. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

export function Page({ title, description, actions, width = 'wide', children }: PageProps) {
  useHead({ title, description })

  return (
    <div className={classes.page} data-width={width}>
      <Group component="header" justify="space-between" align="flex-start" gap="md" mb="lg">
        <Stack gap={4} className={classes.heading}>
          <Title order={1}>{title}</Title>
          {description !== undefined && <Text c="dimmed">{description}</Text>}
        </Stack>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </div>
  )
}
