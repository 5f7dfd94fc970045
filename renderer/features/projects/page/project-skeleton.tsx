import { Box, Group, Skeleton } from '@mantine/core'
import { TabbedPage } from '../../../ui/layout/tabbed-page'
import { TableSkeleton } from '../../../ui/table/skeletons'

export function ProjectSkeleton() {
  const head = (
    <Group gap="xs" flex={1} wrap="nowrap" role="status" aria-label="Loading">
      <Skeleton h={32} w={32} ml={36} />
      <Skeleton h={28} w="30%" />
      <Skeleton h={36} w={104} ml="auto" />
    </Group>
  )

  return (
    <TabbedPage head={head} label="Project" tabs={[]}>
      {/* The footer waits below the screen. */}
      <Box mih="100vh">
        <TableSkeleton rows={4} />
      </Box>
    </TabbedPage>
  )
}
