import { Stack } from '@mantine/core'
import type { ComponentType } from 'react'
import { ApiError } from '../../lib/client/api-client'
import { useSession } from '../../lib/session/session'
import { LoadError } from '../../ui/feedback/load-error'
import { Page } from '../../ui/layout/page'
import { TableSkeleton } from '../../ui/table/skeletons'
import { InvitesCard } from './invites/invites-card'
import { PeopleList } from './people-list'
import { RegistrationSwitch } from './registration-switch'
import { usePeople } from './use-people'

export function PeoplePage({ Missing }: { Missing: ComponentType }) {
  const isHost = useSession().user?.is_host ?? false
  const { data, error, refetch } = usePeople()
  if (!isHost || (error instanceof ApiError && error.status === 404)) return <Missing />
  return (
    <Page title="People" description="The accounts on this host and their storage.">
      {data && (
        <Stack gap="lg">
          <RegistrationSwitch isOpen={data.registration_open} />
          <InvitesCard />
          <PeopleList people={data.people} isOpen={data.registration_open} />
        </Stack>
      )}
      {!data && !error && <TableSkeleton rows={8} />}
      {!data && error && (
        <LoadError title="The accounts could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}
