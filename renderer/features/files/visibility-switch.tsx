import { Group, Switch, Text } from '@mantine/core'

interface VisibilitySwitchProps {
  filename: string
  isPublic: boolean
  disabled?: boolean
  onChange: (isPublic: boolean) => void
}

/** Public or private, as a switch with the word beside it. */
export function VisibilitySwitch({ filename, isPublic, disabled = false, onChange }: VisibilitySwitchProps) {
  return (
    <Group gap="xs" wrap="nowrap" component="label" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <Switch
        size="sm"
        checked={isPublic}
        disabled={disabled}
        aria-label={`Public: ${filename}`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Text component="span" aria-hidden c={isPublic ? '' : 'dimmed'}>
        {isPublic ? 'Public' : 'Private'}
      </Text>
    </Group>
  )
}
