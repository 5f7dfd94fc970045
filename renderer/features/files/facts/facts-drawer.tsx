import { Button, Drawer, Skeleton, Stack, Text } from '@mantine/core'
import { IconFileUnknown, IconPackageOff, IconRefresh, IconShare2 } from '@tabler/icons-react'
import { useRef } from 'react'
import { fileLists, queryKeys } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
import { formatExactTime } from '../../../lib/texts/format'
import { isCovered } from '../../../ui/dialog/is-covered'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { Loaded } from '../../../ui/feedback/loaded'
import { WarningList } from '../../../ui/feedback/warning-list'
import { notifyError } from '../../../ui/feedback/notify'
import { useIsPhone } from '../../../ui/table/use-is-phone'
import { openShareLinks } from '../../share-links/share-place'
import { copyWarnings } from './copy-warnings'
import { Digest, FactsList, type DetailedFile } from './facts-list'
import classes from './facts.module.css'
import { BeforePublish } from './platform-checks'
import { useFacts } from './use-facts'

interface FactsDrawerProps {
  file: DetailedFile
  isOpen: boolean
  onClose: () => void
}

/** Everything that the package of a file says about itself. */
export function FactsDrawer({ file, isOpen, onClose }: FactsDrawerProps) {
  const size = useIsPhone() ? '100%' : 480
  const content = useRef<HTMLDivElement>(null)

  return (
    <Drawer
      opened={isOpen}
      onClose={() => isCovered(content.current) || onClose()}
      position="right"
      size={size}
      title={<bdi>{file.filename}</bdi>}
      classNames={{ title: classes.title }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      returnFocus={false}
    >
      <Stack gap="lg" ref={content}>
        <WarningList warnings={copyWarnings(file)} />
        {file.received && <Received received={file.received} at={file.uploaded_at} />}
        <Details file={file} />
        <Digest sha256={file.sha256} />
      </Stack>
    </Drawer>
  )
}

interface ReceivedProps {
  received: NonNullable<DetailedFile['received']>
  at: string | undefined
}

/** What the sender of a file wrote, and to which request. */
function Received({ received: { from, message, request }, at }: ReceivedProps) {
  const rows = [
    ['From', from],
    ['Message', message],
    ['Request', request],
    ['Received', at === undefined ? '' : formatExactTime(at)],
  ].filter(([, value]) => value !== '')

  return (
    <dl className={classes.rows}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Details({ file }: { file: DetailedFile }) {
  return (
    <Loaded
      query={useFacts(file.file_id)}
      title="The details could not be loaded"
      skeleton={<FactsSkeleton />}
    >
      {({ facts, reason, is_package, can }) => (
        <Stack gap="lg">
          {facts ? (
            <FactsList file={file} facts={facts} unlisted={reason} />
          ) : (
            <EmptyState
              icon={is_package ? IconFileUnknown : IconPackageOff}
              title={is_package ? 'Nothing known about this package' : 'No package'}
              text={reason ?? ''}
            />
          )}
          {can.includes('update') && <BeforePublish files={[file]} />}
          {can.includes('share') && (
            <Button
              variant="default"
              leftSection={<IconShare2 size={16} />}
              aria-haspopup="dialog"
              style={{ alignSelf: 'flex-start' }}
              onClick={() => openShareLinks(file)}
            >
              Share link…
            </Button>
          )}
          {is_package && can.includes('update') && <ReadAgain id={file.file_id} />}
        </Stack>
      )}
    </Loaded>
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
        A newer version of Slipway may find more in the same package.
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

/** Asks the host to read the package again, and shows the result. */
const useReadAgain = (id: string) =>
  useCall((client) => client.files.readAgain({ id }), {
    after: (cache, reply) => {
      cache.setQueryData(queryKeys.files.facts(id), reply)
      if (!reply.facts) notifyError('This package cannot be read')
    },
    done: ({ facts }) => (facts ? 'Package read again' : undefined),
    failed: 'Failed to read the package',
    refresh: fileLists,
  })
