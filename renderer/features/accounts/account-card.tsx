import { Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHead } from '../../lib/texts/head'
import { NameMark } from '../../visitor/parts/icons'
import classes from './account-card.module.css'

interface AccountCardProps {
  title: string
  text: string
  children: ReactNode
  footer?: ReactNode
}

export function AccountCard({ title, text, children, footer }: AccountCardProps) {
  useHead({ title, description: text })

  return (
    <div className={classes.page}>
      <Card className={classes.card} padding="xl">
        <Stack gap={4} align="center" mb="lg" ta="center">
          <NameMark size={40} />
          <Title order={1} mt={4}>
            {title}
          </Title>
          <Text c="dimmed">{text}</Text>
        </Stack>
        {children}
      </Card>
      <Text ta="center" c="dimmed" mt="md">
        {footer}
      </Text>
    </div>
  )
}
