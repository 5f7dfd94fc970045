import { IconKey } from '@tabler/icons-react'
import type { Person } from '../../../server/contract'
import { DataTable, type Column } from '../../ui/table/data-table'
import { RowAction } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'
import { PersonName } from './person-name'
import { StorageUse } from './storage-use'
import { AccessSwitch, TierSelect } from './person-controls'
import { usePersonActions } from './use-person-actions'

interface PeopleTableProps {
  people: readonly Person[]
  self: string | undefined
}

export function PeopleTable({ people, self }: PeopleTableProps) {
  const { setTier, setDisabled, resetPassword } = usePersonActions()
  const columns: Column<Person>[] = [
    {
      header: 'Account',
      onPhone: 'title',
      cell: (person) => <PersonName person={person} isSelf={person.user_id === self} />,
    },
    { header: 'Storage', width: 200, onPhone: 'title', cell: (person) => <StorageUse person={person} /> },
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
          onChange={(disabled) => void setDisabled(person, disabled)}
        />
      ),
    },
    { header: 'Joined', width: 170, namedOnPhone: true, cell: ({ created_at }) => <Time value={created_at} /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      width: 70,
      onPhone: 'action',
      cell: (person) =>
        person.user_id !== self && (
          <RowAction
            icon={IconKey}
            verb="Reset password"
            what={`of ${person.username}`}
            onClick={() => void resetPassword(person)}
          />
        ),
    },
  ]
  return <DataTable label="Accounts" rows={people} rowKey={({ user_id }) => user_id} columns={columns} />
}
