import { Group, Progress, Text } from '@mantine/core'
import { strengthOf } from './strength'

const looks = {
  weak: { value: 25, color: 'red', text: 'Weak. Use 12 characters or more.' },
  fair: { value: 50, color: 'orange', text: 'Fair. Use 12 characters or more.' },
  good: { value: 75, color: 'quay', text: 'Good' },
  strong: { value: 100, color: 'quay', text: 'Strong' },
} as const

/** Advice only: the contract sets the rule. */
export function PasswordStrength({ password }: { password: string }) {
  if (password === '') return null
  const { value, color, text } = looks[strengthOf(password)]
  return (
    <Group gap="sm" wrap="nowrap" role="status">
      <Progress value={value} color={color} size="sm" w={80} aria-hidden />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Group>
  )
}
