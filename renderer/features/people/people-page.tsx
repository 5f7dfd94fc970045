import { Stack } from '@mantine/core'
import type { ComponentType } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { isMissing } from '../../lib/client/failure'
import { useSession } from '../../lib/session/session'
import { Lazily } from '../../ui/feedback/lazily'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import { InvitesCard } from './invites/invites-card'
import { PeopleList } from './people-list'
import { RegistrationSwitch } from './registration-switch'
import { usePeople } from './use-people'

const DeletedPeople = lazyPage(() => import('./deleted-people'), 'DeletedPeople')

export function PeoplePage({ Missing }: { Missing: ComponentType }) {
  const isHost = useSession().user?.is_host ?? false
  const people = usePeople()
  if (!isHost || isMissing(people.error)) return <Missing />

  return (
    <Loaded
      query={people}
      title="The accounts could not be loaded"
      skeleton={<TableSkeleton rows={8} />}
    >
      {(data) => (
        <Stack gap="lg">
          <RegistrationSwitch isOpen={data.registration_open} />
          <InvitesCard />
          <PeopleList people={data.people} isOpen={data.registration_open} />
          <Lazily>{data.deleted.length > 0 && <DeletedPeople people={data.deleted} />}</Lazily>
        </Stack>
      )}
    </Loaded>
  )
}
