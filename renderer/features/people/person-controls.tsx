import { Group, NativeSelect, Switch, Text } from '@mantine/core'
import { tiers, type Person, type Tier } from '../../../server/contract'

/** How much an account may keep. */
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

/** Whether an account may sign in, as a switch with the word beside it. */
export function AccessSwitch({ person: { username, disabled }, isSelf, onChange }: AccessSwitchProps) {
  return (
    <Group
      gap="xs"
      wrap="nowrap"
      component="label"
      display="inline-flex"
      style={{ verticalAlign: 'middle' }}
      title={isSelf ? 'You cannot disable your own account' : ''}
    >
      <Switch
        size="sm"
        checked={!disabled}
        disabled={isSelf}
        aria-label={`Active: ${username}`}
        onChange={({ currentTarget }) => onChange(!currentTarget.checked)}
      />
      <Text component="span" aria-hidden c={disabled ? 'var(--mantine-color-error)' : ''}>
        {disabled ? 'Disabled' : 'Active'}
      </Text>
    </Group>
  )
}
