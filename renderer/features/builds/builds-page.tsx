import { Button, Stack } from '@mantine/core'
import { IconPackage } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { paths } from '../../paths'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Page } from '../../ui/layout/page'
import { Pager } from '../../ui/table/pager'
import { TableSkeleton } from '../../ui/table/skeletons'
import { BuildStatistics } from './build-statistics'
import { BuildsTable } from './builds-table'
import { BUILDS_PER_PAGE, useBuilds } from './use-builds'

export function BuildsPage() {
  const { listState, change } = useListAddress({})
  const builds = useBuilds(listState.page)
  if (builds.data?.total === 0) return <NoBuilds />

  return (
    <Page title="Builds" description="Your application packages, newest first.">
      <Stack gap="lg">
        <BuildStatistics />
        <Loaded
          query={builds}
          title="Your builds could not be loaded"
          skeleton={<TableSkeleton rows={8} />}
        >
          {(data) => (
            <div>
              <BuildsTable builds={data.builds} stale={builds.isPlaceholderData} />
              <Pager
                page={listState.page}
                pageSize={BUILDS_PER_PAGE}
                total={data.total}
                onPage={(page) => change({ page })}
              />
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
          'IPA, EXE, MSI, DMG, AppImage, DEB, ZIP and others.'
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
