import { Group, Skeleton, Stack } from '@mantine/core'

export function ProjectSkeleton() {
  return (
    <div className="project-page" role="status" aria-label="Loading">
      <Group gap="md" mb="lg" wrap="nowrap">
        <Skeleton h={56} w={56} style={{ flexShrink: 0 }} />
        <Stack gap={8} flex={1}>
          <Skeleton h={28} w="min(20rem, 70%)" />
          <Skeleton h={16} w="min(30rem, 90%)" />
        </Stack>
      </Group>
      <div className="columns">
        <Skeleton className="main" h={216} />
        <Skeleton className="side" h={216} />
      </div>
    </div>
  )
}
