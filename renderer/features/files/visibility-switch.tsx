import { Switch } from '@mantine/core'
import classes from './visibility-switch.module.css'

interface VisibilitySwitchProps {
  filename: string
  isPublic: boolean
  disabled?: boolean
  onChange: (isPublic: boolean) => void
}

export function VisibilitySwitch({
  filename,
  isPublic,
  disabled = false,
  onChange,
}: VisibilitySwitchProps) {
  return (
    <Switch
      size="sm"
      className={classes.root}
      checked={isPublic}
      disabled={disabled}
      label={isPublic ? 'Public' : 'Private'}
      aria-label={`Public: ${filename}`}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
