import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { InternetView } from '../../../../server/contract'
import { useClient } from '../../../lib/client/client-context'
import { queryKeys } from '../../../lib/client/query-keys'
import { PhoneLink, usePhoneLink } from '../../addresses/phone-link'
import { useInternet } from '../use-internet'

/** The proof changes neither state nor link, so the activity stream does not report it. */
const LOOK_EVERY_MS = 2000

/** A QR code with a one-time link. The result appears here when the phone has opened it. */
export function PhoneTest({ view, onClose }: { view: InternetView; onClose: () => void }) {
  useInternet(LOOK_EVERY_MS)
  const works = usePhoneProof(view)
  const client = useClient()
  const link = usePhoneLink(queryKeys.phoneTest, () => client.internet.phoneTest({}))
  if (works) return <Works onClose={onClose} />
  return (
    <PhoneLink
      link={link}
      steps={['Turn off Wi-Fi on your phone.', 'Scan the code with its camera, and open the link.']}
    />
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

/** Whether a phone has arrived since the dialog opened. */
function usePhoneProof({ proof }: InternetView): boolean {
  const [before] = useState(proof?.at)
  const [works, setWorks] = useState(false)
  const isNew = proof?.by === 'phone' && proof.at !== before
  // A later visitor replaces the proof, and the phone has still arrived.
  if (isNew && !works) setWorks(true)
  return works || isNew
}
