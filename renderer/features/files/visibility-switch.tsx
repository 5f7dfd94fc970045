import { Group } from '@mantine/core'
import { PlainSwitch } from '../../ui/plain-switch'

interface VisibilitySwitchProps {
  filename: string
  isPublic: boolean
  disabled?: boolean
  onChange: (isPublic: boolean) => void
}

export const VisibilitySwitch = ({
  filename,
  isPublic,
  disabled = false,
  onChange,
}: VisibilitySwitchProps) => (
  <Group
    component="label"
    gap="sm"
    wrap="nowrap"
    display="inline-flex"
    {...(disabled && { c: 'dimmed' })}
  >
    <PlainSwitch
      checked={isPublic}
      disabled={disabled}
      aria-label={`Public: ${filename}`}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {isPublic ? 'Public' : 'Private'}
  </Group>
)
