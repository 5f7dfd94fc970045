import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconSearchOff, IconUsers } from '@tabler/icons-react'
import type { Person } from '../../../server/contract'
import { formatQuantity, formatWhole } from '../../lib/texts/format'
import { useIsAlone, useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { useSession } from '../../lib/session/session'
import { paths } from '../../paths'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Pager } from '../../ui/table/pager'
import { SearchInput } from '../../ui/table/search-input'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { choosePeople, sortings, type Sorting } from './choose-people'
import { PeopleTable } from './people-table'

const PER_PAGE = 50
const words: Record<Sorting, string> = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  storage: 'Most storage first',
  name: 'By name',
}

export function PeopleList({ people, isOpen }: { people: readonly Person[]; isOpen: boolean }) {
  const { filter, change } = usePeopleFilter()
  const self = useSession().user?.user_id

  const matches = choosePeople(people, filter.search, filter.sort)
  const page = Math.min(filter.page, Math.max(1, Math.ceil(matches.length / PER_PAGE)))

  return (
    <Stack gap="sm">
      <PeopleToolbar
        filter={filter}
        onChange={change}
        matchCount={matches.length}
        total={people.length}
      />
      {matches.length > 0 && (
        <PeopleTable people={matches.slice((page - 1) * PER_PAGE, page * PER_PAGE)} self={self} />
      )}
      {matches.length === 0 && (
        <NobodyFound search={filter.search} onClear={() => change({ search: '' })} />
      )}
      <Pager
        page={page}
        pageSize={PER_PAGE}
        total={matches.length}
        onPage={(next) => change({ page: next })}
      />
      {people.length === 1 && <OnlyYou isOpen={isOpen} />}
    </Stack>
  )
}

interface PeopleToolbarProps {
  filter: PeopleFilter
  onChange: (news: Partial<PeopleFilter>) => void
  matchCount: number
  total: number
}

function PeopleToolbar({ filter, onChange, matchCount, total }: PeopleToolbarProps) {
  const count = formatQuantity(total, 'account')

  return (
    <Group gap="sm" justify="space-between">
      <Text c="dimmed" role="status">
        {filter.search === '' ? count : `${formatWhole(matchCount)} of ${count}`}
      </Text>
      <Group gap="sm" w={{ base: '100%', xs: 'auto' }}>
        <NativeSelect
          w={{ base: '100%', xs: 'auto' }}
          aria-label="Order"
          data={sortings.map((value) => ({ value, label: words[value] }))}
          value={filter.sort}
          onChange={({ currentTarget }) =>
            onChange({ sort: sortings[currentTarget.selectedIndex] ?? 'oldest' })
          }
        />
        <SearchInput
          label="Search people"
          value={filter.search}
          onChange={(search) => onChange({ search })}
        />
      </Group>
    </Group>
  )
}

function NobodyFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No people found"
      text={`No account has “${search}” in its username or email.`}
      action={
        <Button variant="default" onClick={onClear}>
          Show everyone
        </Button>
      }
    />
  )
}

function OnlyYou({ isOpen }: { isOpen: boolean }) {
  const isAlone = useIsAlone()
  const address = useShareUrl()(paths.register)

  const text = isAlone
    ? 'Others can make accounts once this host can be reached from their devices.'
    : `Others make their accounts at ${address}.`

  return (
    <EmptyState
      icon={IconUsers}
      title="Only you so far"
      text={
        isOpen
          ? text
          : 'Registration is closed. Invite people with a link, or let them register themselves.'
      }
      action={isAlone && <OnlyThisComputer text="Only this computer can open it now." />}
    />
  )
}

interface PeopleFilter {
  search: string
  sort: Sorting
  page: number
}

function usePeopleFilter() {
  const { listState, change } = useListAddress({ search: '', sort: 'oldest' })
  const filter: PeopleFilter = {
    ...listState,
    sort: sortings.find((name) => name === listState.sort) ?? 'oldest',
  }
  return { filter, change }
}
