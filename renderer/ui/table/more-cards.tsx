import { Button, Stack, Text } from '@mantine/core'
import { formatWhole } from '../../lib/texts/format'
import { CardGridSkeleton } from './card-grid'
import { Loaded } from '../feedback/loaded'
import { useReachEnd } from './use-reach-end'

interface MoreCardsProps {
  /** Plural noun: 'projects'. */
  things: string
  visibleCount: number
  total: number
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: Error | null
  fetchNextPage: () => unknown
}

export function MoreCards(props: MoreCardsProps) {
  const { things, visibleCount, total, hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } =
    props
  const more = () => {
    if (!isFetchingNextPage) void fetchNextPage()
  }
  const end = useReachEnd(hasNextPage && !isFetchingNextPage && !isFetchNextPageError, more)
  return (
    <Stack ref={end} mt="md" gap="md">
      {isFetchingNextPage && <CardGridSkeleton cards={3} />}
      <Loaded
        query={{ error: isFetchNextPageError ? error : null, refetch: more }}
        title={`The next ${things} could not be loaded`}
      />
      <Text c="dimmed" size="xs" ta="center" role="status">
        {hasNextPage && `${formatWhole(visibleCount)} of ${formatWhole(total)} shown`}
      </Text>
      {hasNextPage && !isFetchNextPageError && (
        <Button variant="default" mx="auto" onClick={more} aria-disabled={isFetchingNextPage}>
          Show more {things}
        </Button>
      )}
    </Stack>
  )
}
