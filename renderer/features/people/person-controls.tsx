import { NativeSelect, Switch } from '@mantine/core'
import { tiers, type Person, type Tier } from '../../../server/contract'

export function TierSelect({ person, onChange }: { person: Person; onChange: (tier: Tier) => void }) {
  return (
    <NativeSelect
      size="xs"
      aria-label={`Tier of ${person.username}`}
      data={tiers}
      value={person.tier_name}
      onChange={({ currentTarget }) => onChange(tiers[currentTarget.selectedIndex] ?? person.tier_name)}
    />
  )
}

interface AccessSwitchProps {
  person: Person
  isSelf: boolean
  onChange: (disabled: boolean) => void
}

export function AccessSwitch({ person: { username, disabled }, isSelf, onChange }: AccessSwitchProps) {
  return (
    <Switch
      size="sm"
      display="inline-flex"
      style={{ verticalAlign: 'middle' }}
      title={isSelf ? 'You cannot disable your own account' : ''}
      checked={!disabled}
      disabled={isSelf}
      label={disabled ? 'Disabled' : 'Active'}
      aria-label={`Active: ${username}`}
      onChange={({ currentTarget }) => onChange(!currentTarget.checked)}
    />
  )
}
