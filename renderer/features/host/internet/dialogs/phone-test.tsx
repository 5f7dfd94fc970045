import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { InternetView } from '../../../../../server/contract'
import { useClient } from '../../../../lib/client/client-context'
import { failureText } from '../../../../lib/client/failure'
import { queryKeys } from '../../../../lib/client/query-keys'
import { QrPicture } from '../../../../ui/dialog/qr-picture'
import { FormAlert } from '../../../../ui/feedback/form-alert'
import { CopyButton } from '../../../../ui/text/copy-button'
import { internetWords } from '../internet-words'
import { useInternet } from '../use-internet'

/** The proof changes neither state nor link, so the activity stream does not report it. */
const LOOK_EVERY_MS = 2000

/** A QR code with a one-time link. The result appears here when the phone has opened it. */
export function PhoneTest({ view, onClose }: { view: InternetView; onClose: () => void }) {
  useInternet(LOOK_EVERY_MS)
  const works = usePhoneProof(view)
  const { data, error, refetch, isFetching } = usePhoneLink()
  const isOver = useIsOver(data?.expires_at)
  if (works) return <Works onClose={onClose} />
  if (error) return <FormAlert text={failureText(error, { failed: internetWords.testFailed })} />
  if (!data) return <Loader role="status" aria-label="Loading" />
  return (
    <Stack gap="md">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>Turn off Wi-Fi on your phone.</List.Item>
        <List.Item>Scan the code with its camera, and open the link.</List.Item>
      </List>
      {!isOver && <QrPicture value={data.url} />}
      <Text c="dimmed" role="status">
        {isOver ? 'The link has expired.' : 'Waiting for your phone… The link works once, for 10 minutes.'}
      </Text>
      <Group gap="xs">
        {!isOver && <CopyButton value={data.url} label="Copy test link" />}
        <Button variant={isOver ? 'filled' : 'default'} loading={isFetching} onClick={() => void refetch()}>
          New code
        </Button>
      </Group>
    </Stack>
  )
}

function Works({ onClose }: { onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert role="status" color="quay" variant="light" icon={<IconCircleCheck />} title="It works">
        Your phone reached this host from outside. Links work anywhere.
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

/** Each dialog gets its own link. */
function usePhoneLink() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.phoneTest,
    queryFn: () => client.internet.phoneTest({}),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}

/** Whether a phone has arrived since the dialog opened. */
function usePhoneProof({ proof }: InternetView): boolean {
  const [before] = useState(proof?.at)
  const [works, setWorks] = useState(false)
  const isNew = proof?.by === 'phone' && proof.at !== before
  // A later visitor replaces the proof, and the phone has still arrived.
  if (isNew && !works) setWorks(true)
  return works || isNew
}

function useIsOver(expiresAt: string | undefined): boolean {
  const [over, setOver] = useState<string>()
  useEffect(() => {
    if (expiresAt === undefined) return
    const timer = setTimeout(() => setOver(expiresAt), Date.parse(expiresAt) - Date.now())
    return () => clearTimeout(timer)
  }, [expiresAt])
  return expiresAt !== undefined && over === expiresAt
}
