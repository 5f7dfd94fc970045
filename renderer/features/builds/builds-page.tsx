import { Button, Stack } from '@mantine/core'
import { IconPackage } from '@tabler/icons-react'
import { Link, Navigate } from 'react-router-dom'
import type { Application } from '../../../server/contract'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { paths } from '../../paths'
import { BackLink } from '../../ui/layout/back-link'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Page } from '../../ui/layout/page'
import { Pager } from '../../ui/table/pager'
import { TableSkeleton } from '../../ui/table/skeletons'
import { ApplicationsTable } from './applications-table'
import { BuildStatistics } from './build-statistics'
import { BuildsTable } from './builds-table'
import { BUILDS_PER_PAGE, useApplications, useBuilds } from './use-builds'

/** /apk-builds: the applications, or the builds of one of them. */
export function BuildsPage() {
  const { listState, change } = useListAddress({ application: '' })
  const { application: chosen, page } = listState
  const applications = useApplications(chosen, page)
  const onPage = (next: number) => change({ page: next })

  const loaded = (
    <Loaded
      query={applications}
      title="Your builds could not be loaded"
      skeleton={
        <Page title="Builds">
          <TableSkeleton rows={8} />
        </Page>
      }
    >
      {({ applications: found, total }) => {
        // With one application, its builds save a click.
        const single = chosen !== '' || total === 1 ? found[0] : undefined
        if (single) return <OneApplication {...{ application: single, page, onPage, chosen }} />
        if (chosen !== '') return <Navigate to={paths.builds} replace />
        if (total === 0) return <NoBuilds />

        return (
          <Page title="Builds" description="Your application packages, newest first.">
            <Stack gap="lg">
              <BuildStatistics />
              <div>
                <ApplicationsTable applications={found} stale={applications.isPlaceholderData} />
                <Pager page={page} pageSize={BUILDS_PER_PAGE} total={total} onPage={onPage} />
              </div>
            </Stack>
          </Page>
        )
      }}
    </Loaded>
  )
  const hasFailed = !applications.data && !applications.isLoading
  return hasFailed ? <Page title="Builds">{loaded}</Page> : loaded
}

interface OneApplicationProps {
  application: Application
  /** Empty: it is the only one. */
  chosen: string
  page: number
  onPage: (page: number) => void
}

function OneApplication({ application, chosen, page, onPage }: OneApplicationProps) {
  const builds = useBuilds(application.application, page)
  const isOnly = chosen === ''

  return (
    <Page
      title={isOnly ? 'Builds' : application.title}
      description={
        isOnly ? 'Your application packages, newest first.' : 'Builds of this application.'
      }
    >
      <Stack gap="lg">
        {isOnly ? <BuildStatistics /> : <BackLink to={paths.builds} text="All builds" />}
        <Loaded
          query={builds}
          title="Your builds could not be loaded"
          skeleton={<TableSkeleton rows={8} />}
        >
          {(data) => (
            <div>
              <BuildsTable builds={data.builds} stale={builds.isPlaceholderData} />
              <Pager page={page} pageSize={BUILDS_PER_PAGE} total={data.total} onPage={onPage} />
            </div>
          )}
        </Loaded>
      </Stack>
    </Page>
  )
}

function NoBuilds() {
  return (
    <Page title="Builds">
      <EmptyState
        icon={IconPackage}
        title="No builds yet"
        text={
          'Files that are application packages are listed here with their versions: APK, AAB, ' +
          'IPA, EXE, MSI, DMG, AppImage, DEB and others.'
        }
        action={
          <Button component={Link} to={paths.myFiles}>
            Upload a build
          </Button>
        }
      />
    </Page>
  )
}
