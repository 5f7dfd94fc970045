import { Group, Progress, Text } from '@mantine/core'
import { strengthOf, strengthTexts } from '../../../server/texts/account-texts'

const colours = { weak: 'red', fair: 'orange', good: 'quay', strong: 'quay' } as const

/** Advice only: the contract sets the rule. */
export function PasswordStrength({ password }: { password: string }) {
  if (password === '') return null

  const strength = strengthOf(password)
  const { value, text } = strengthTexts[strength]

  return (
    <Group gap="sm" wrap="nowrap" role="status">
      <Progress value={value} color={colours[strength]} size="sm" w={80} aria-hidden />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Group>
  )
}
