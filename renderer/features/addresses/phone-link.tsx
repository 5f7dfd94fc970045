import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { QrPicture } from '../../ui/dialog/qr-picture'
import { Loaded } from '../../ui/feedback/loaded'
import { CopyButton } from '../../ui/text/copy-button'

interface Link {
  url: string
  expires_at: string
}

interface PhoneLinkProps {
  link: UseQueryResult<Link>
  /** Steps before the link works, and steps with it. */
  steps: readonly string[]
  /** Help below the code. */
  children?: ReactNode
}

/** A QR code with a one-time link. */
export function PhoneLink({ link, steps, children }: PhoneLinkProps) {
  const isOver = useIsOver(link.data?.expires_at)

  return (
    <Loaded
      query={link}
      title="Failed to create the test link"
      skeleton={<Loader role="status" aria-label="Loading" />}
    >
      {({ url }) => (
        <Stack gap="md">
          <List type="ordered" size="sm" spacing={4}>
            {steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
          {!isOver && <QrPicture value={url} />}
          <Text c="dimmed" role="status">
            {isOver
              ? 'The link has expired.'
              : 'Waiting for your phone… The link works once, for 10 minutes.'}
          </Text>
          <Group gap="xs">
            {!isOver && <CopyButton value={url} label="Copy test link" />}
            <Button
              variant={isOver ? 'filled' : 'default'}
              loading={link.isFetching}
              onClick={() => void link.refetch()}
            >
              New code
            </Button>
          </Group>
          {children}
        </Stack>
      )}
    </Loaded>
  )
}

/** Replaces the link when the phone has arrived. */
export function PhoneWorks({ onClose, children }: { onClose: () => void; children: string }) {
  return (
    <Stack gap="md">
      <Alert role="status" color="quay" variant="light" icon={<IconCircleCheck />} title="It works">
        {children}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

/** Creates a link. Each dialog gets its own. */
export const usePhoneLink = <Created extends Link>(
  queryKey: readonly string[],
  create: (client: Client) => Promise<Created>,
) => useLoad(queryKey, create, { staleTime: Infinity, gcTime: 0, retry: false })

function useIsOver(expiresAt: string | undefined): boolean {
  const [over, setOver] = useState<string>()
  useEffect(() => {
    if (expiresAt === undefined) return
    const timer = setTimeout(() => setOver(expiresAt), Date.parse(expiresAt) - Date.now())
    return () => clearTimeout(timer)
  }, [expiresAt])
  return expiresAt !== undefined && over === expiresAt
}
