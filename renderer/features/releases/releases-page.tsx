import { Box, Button, Group, Stack } from '@mantine/core'
import { IconLink, IconPackages, IconPlus } from '@tabler/icons-react'
import type { Project } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { useOpenProject } from '../../lib/host/open-project'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { CardSkeleton } from '../../ui/table/skeletons'
import { LateMenu } from '../../ui/table/late-menu'
import { Pager } from '../../ui/table/pager'
import { ReleaseCard } from './release-card'
import classes from './releases.module.css'
import { RELEASES_PER_PAGE, useReleases } from './use-releases'

const LatestLinks = lazyPage(() => import('./latest-links'), 'LatestLinks')
const ChannelSelect = lazyPage(() => import('./channel-select'), 'ChannelSelect')
const CreateRelease = lazyPage(() => import('./create-release'), 'CreateRelease')

/** /projects/:id/releases: the versions of a project, newest first. */
export function ReleasesPage() {
  const project = useOpenProject()
  const { listState, change } = useListAddress({ channel: '' })
  const releases = useReleases(project.project_id, listState)

  const { data } = releases
  const hasNone = data?.total === 0 && listState.channel === ''

  return (
    <Stack gap="md">
      {data && !hasNone && (
        <Group gap="xs">
          <Box me="auto">
            <AfterFirstView>
              <ChannelSelect
                channels={data.channels}
                value={listState.channel}
                onChange={(channel) => change({ channel })}
              />
            </AfterFirstView>
          </Box>
          <LateMenu button={linksButton}>
            {(start) => (
              <LatestLinks project={project} channel={listState.channel || 'stable'} {...start} />
            )}
          </LateMenu>
          <NewRelease project={project} channels={data.channels} />
        </Group>
      )}
      <Loaded
        query={releases}
        title="The releases could not be loaded"
        skeleton={<CardsSkeleton />}
      >
        {({ releases: rows, channels, total }) => {
          if (hasNone) return <NoReleases project={project} />
          if (total === 0)
            return (
              <EmptyChannel channel={listState.channel} onShowAll={() => change({ channel: '' })} />
            )

          return (
            <div>
              <ul
                className={classes.list}
                aria-label="Releases"
                data-stale={releases.isPlaceholderData || undefined}
              >
                {rows.map((release) => (
                  <li key={release.version}>
                    <ReleaseCard project={project} release={release} channels={channels} />
                  </li>
                ))}
              </ul>
              <Pager
                page={listState.page}
                pageSize={RELEASES_PER_PAGE}
                total={total}
                onPage={(page) => change({ page })}
              />
            </div>
          )
        }}
      </Loaded>
    </Stack>
  )
}

const linksButton = (
  <Button variant="default" leftSection={<IconLink size={16} />} aria-haspopup="menu">
    Copy latest link
  </Button>
)

const CardsSkeleton = () => Array.from({ length: 4 }, (_, card) => <CardSkeleton key={card} />)

function EmptyChannel({ channel, onShowAll }: { channel: string; onShowAll: () => void }) {
  return (
    <EmptyState
      icon={IconPackages}
      title={`No releases in the channel ${channel}`}
      text="Other channels have some."
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all releases
        </Button>
      }
    />
  )
}

function NewRelease({ project, channels }: { project: Project; channels: readonly string[] }) {
  const { isOpen, isNeeded, open, close } = useLateDialog()
  if (!project.can.includes('link')) return null

  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Create release
      </Button>
      <AfterFirstView isNeeded={isNeeded}>
        <CreateRelease project={project} channels={channels} opened={isOpen} onClose={close} />
      </AfterFirstView>
    </>
  )
}

const WHAT =
  'A release is a version with its files, its notes and a channel, such as stable or beta. ' +
  'Uploading a file with a version creates the release.'

function NoReleases({ project }: { project: Project }) {
  const mayCreate = project.can.includes('link')
  return (
    <EmptyState
      icon={IconPackages}
      title="No releases yet"
      text={WHAT}
      action={mayCreate ? <NewRelease project={project} channels={[]} /> : undefined}
    />
  )
}
