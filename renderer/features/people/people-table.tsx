import { Badge, Group, NativeSelect, Progress, Switch, Text } from '@mantine/core'
import { IconKey, IconShieldOff, IconUnlink } from '@tabler/icons-react'
import type { Person, Tier } from '../../../server/contract'
import { tierQuota, tiers } from '../../../server/contract/limits'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'
import { formatFiles, formatSize } from '../../lib/texts/format'
import { shadeOf, storageLevel } from '../../lib/texts/storage-level'
import { usePersonActions, useUnlink } from './use-person-actions'

interface PeopleTableProps {
  people: readonly Person[]
  self: string | undefined
}

export function PeopleTable({ people, self }: PeopleTableProps) {
  const { setTier, setDisabled, resetPassword, removeFactors } = usePersonActions()
  const unlink = useUnlink()

  const columns: Column<Person>[] = [
    {
      header: 'Account',
      onPhone: 'title',
      cell: (person) => <PersonName person={person} isSelf={person.user_id === self} />,
    },
    {
      header: 'Storage',
      width: 200,
      onPhone: 'title',
      cell: (person) => <StorageUse person={person} />,
    },
    {
      header: 'Tier',
      width: 145,
      cell: (person) => <TierSelect person={person} onChange={(tier) => setTier(person, tier)} />,
    },
    {
      header: 'Access',
      width: 145,
      cell: (person) => (
        <AccessSwitch
          person={person}
          isSelf={person.user_id === self}
          onChange={(disabled) => setDisabled(person, disabled)}
        />
      ),
    },
    {
      header: 'Joined',
      width: 170,
      namedOnPhone: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    {
      ...ACTIONS,
      width: 120,
      cell: (person) =>
        person.user_id !== self && (
          <>
            {person.has_factor && (
              <RowAction
                icon={IconShieldOff}
                verb="Remove second factors"
                what={`of ${person.username}`}
                onClick={() => removeFactors(person)}
              />
            )}
            {person.has_identity && (
              <RowAction
                icon={IconUnlink}
                verb="Unlink single sign-on"
                what={`of ${person.username}`}
                onClick={() => unlink(person)}
              />
            )}
            <RowAction
              icon={IconKey}
              verb="Reset password"
              what={`of ${person.username}`}
              onClick={() => void resetPassword(person)}
            />
          </>
        ),
    },
  ]

  return (
    <DataTable label="Accounts" rows={people} rowKey={({ user_id }) => user_id} columns={columns} />
  )
}

function TierSelect({ person, onChange }: { person: Person; onChange: (tier: Tier) => void }) {
  return (
    <NativeSelect
      size="xs"
      aria-label={`Tier of ${person.username}`}
      data={tiers}
      value={person.tier_name}
      onChange={({ currentTarget }) =>
        onChange(tiers[currentTarget.selectedIndex] ?? person.tier_name)
      }
    />
  )
}

interface AccessSwitchProps {
  person: Person
  isSelf: boolean
  onChange: (disabled: boolean) => void
}

function AccessSwitch({ person: { username, disabled }, isSelf, onChange }: AccessSwitchProps) {
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

function PersonName({
  person: { username, email, is_host, has_factor },
  isSelf,
}: {
  person: Person
  isSelf: boolean
}) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Text component="bdi" fw={600} truncate title={username}>
          {username}
        </Text>
        {is_host && <Badge flex="none">Host</Badge>}
        {has_factor && (
          <Badge flex="none" color="gray" title="Signs in with a second factor">
            2FA
          </Badge>
        )}
        {isSelf && (
          <Badge flex="none" color="gray">
            You
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate title={email}>
        {email}
      </Text>
    </>
  )
}

function StorageUse({ person: { username, tier_name, used, files } }: { person: Person }) {
  const quota = tierQuota[tier_name]
  const { percentage, colour } = storageLevel(used, quota)

  return (
    <>
      <Text size="xs">
        {formatSize(used)} of {formatSize(quota)}
      </Text>
      <Progress
        size="xs"
        my={4}
        value={Math.round(percentage)}
        color={shadeOf(colour)}
        aria-label={`Storage used by ${username}`}
      />
      <Text size="xs" c="dimmed">
        {formatFiles(files)}
      </Text>
    </>
  )
}
