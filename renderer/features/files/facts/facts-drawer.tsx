import { Button, Drawer, Skeleton, Stack, Text } from '@mantine/core'
import { IconFileUnknown, IconPackageOff, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../../lib/client/client-context'
import { failureText } from '../../../lib/client/failure'
import { queryKeys } from '../../../lib/client/query-keys'
import { hostMessages } from '../../../lib/texts/host-messages'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { LoadError } from '../../../ui/feedback/load-error'
import { WarningList } from '../../../ui/feedback/warning-list'
import { notifyError, notifySuccess } from '../../../ui/feedback/notify'
import { useIsPhone } from '../../../ui/table/use-is-phone'
import { copyWarnings } from './copy-warnings'
import { FactsList, type DetailedFile } from './facts-list'
import classes from './facts.module.css'

interface FactsDrawerProps {
  file: DetailedFile
  isOpen: boolean
  onClose: () => void
}

/** Everything that the package of a file says about itself. */
export function FactsDrawer({ file, isOpen, onClose }: FactsDrawerProps) {
  const size = useIsPhone() ? '100%' : 480
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={size}
      title={<bdi>{file.filename}</bdi>}
      classNames={{ title: classes.title }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      returnFocus={false}
    >
      <Stack gap="lg">
        <WarningList warnings={copyWarnings(file)} />
        <Details file={file} />
      </Stack>
    </Drawer>
  )
}

function Details({ file }: { file: DetailedFile }) {
  const { data, error, refetch } = useFacts(file.file_id)
  if (!data) {
    if (!error) return <FactsSkeleton />
    return <LoadError title={hostMessages.facts.loadFailed} error={error} onRetry={() => void refetch()} />
  }
  const { facts, reason, is_package, can } = data
  return (
    <Stack gap="lg">
      {facts ? (
        <FactsList file={file} facts={facts} />
      ) : (
        <EmptyState
          icon={is_package ? IconFileUnknown : IconPackageOff}
          title={is_package ? 'Nothing known about this package' : 'No package'}
          text={reason ?? ''}
        />
      )}
      {is_package && can.includes('update') && <ReadAgain id={file.file_id} />}
    </Stack>
  )
}

function ReadAgain({ id }: { id: string }) {
  const reading = useReadAgain(id)
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        loading={reading.isPending}
        onClick={() => reading.mutate()}
      >
        Read again
      </Button>
      <Text size="xs" c="dimmed">
        {hostMessages.facts.readAgainHint}
      </Text>
    </Stack>
  )
}

function FactsSkeleton() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      <Skeleton h={48} w={200} />
      {Array.from({ length: 6 }, (_, row) => (
        <Skeleton key={row} h={18} w={`${90 - (row % 3) * 15}%`} />
      ))}
    </Stack>
  )
}

/** The facts of a file's package. */
function useFacts(id: string) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.files.facts(id),
    queryFn: ({ signal }) => client.files.facts({ id }, signal),
  })
}

/** Lets the host read the package again, and shows what it found. */
function useReadAgain(id: string) {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => client.files.readAgain({ id }),
    onSuccess: async (told) => {
      cache.setQueryData(queryKeys.files.facts(id), told)
      if (told.facts) notifySuccess(hostMessages.facts.read)
      else notifyError(hostMessages.facts.unreadable)
      const lists = [queryKeys.files.all, queryKeys.projects.all, queryKeys.builds.all]
      await Promise.all(lists.map((queryKey) => cache.invalidateQueries({ queryKey })))
    },
    onError: (cause) => notifyError(failureText(cause, { failed: hostMessages.facts.readFailed })),
  })
}
