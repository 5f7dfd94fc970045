import { Button, Stack, Text, Title } from '@mantine/core'
import { IconGitPullRequest } from '@tabler/icons-react'
import type { Project } from '../../../server/contract'
import { PREVIEWS_MAX } from '../../../server/contract/limits'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Warning } from '../../ui/feedback/warning'
import { TableSkeleton } from '../../ui/table/skeletons'
import { PreviewsTable } from './previews-table'
import { useEndPreview, usePreviews } from './use-previews'

/** The previews of a project's pull requests, with their addresses. */
export function Previews({ project: { project_id: id, can } }: { project: Project }) {
  const previews = usePreviews(id)
  const end = useEndPreview(id)

  return (
    <Stack component="section" gap="md" aria-labelledby="previews">
      <Stack gap={4}>
        <Title order={2} size="h3" id="previews">
          Previews
        </Title>
        <Text c="dimmed">
          A page for each pull request, with the same address at each push. Its builds are no
          releases.
        </Text>
      </Stack>
      <Loaded
        query={previews}
        title="The previews could not be loaded"
        skeleton={<TableSkeleton rows={2} />}
      >
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              icon={IconGitPullRequest}
              title="No previews yet"
              text="Your CI creates one for each pull request with slipway preview."
              action={
                <Button component="a" href="/guide/ci" variant="default">
                  How to set it up
                </Button>
              }
            />
          ) : (
            <>
              {list.length >= PREVIEWS_MAX && (
                <Warning title="No room for another preview">
                  A project has at most {PREVIEWS_MAX} at once. End those that you no longer need.
                </Warning>
              )}
              <PreviewsTable previews={list} onEnd={can.includes('link') ? end : undefined} />
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}
