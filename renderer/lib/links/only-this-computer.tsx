import { Button, Group, Text, type GroupProps } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useIsAlone } from '../host/host'
import { useHostSettings, useSetSharing } from '../host/host-settings'
import { useManagesHost } from '../session/use-manages-host'
import { useSession } from '../session/session'

interface OnlyThisComputerProps extends Pick<GroupProps, 'mt'> {
  text?: string
  /** Runs once the host is shared: links have another address then. */
  onShared?: () => void
}

/**
 * Says that only this computer can open a link, with the button that changes it. Nothing where
 * others can open it.
 */
export function OnlyThisComputer({
  text = 'Only this computer can open this link.',
  onShared = () => undefined,
  mt = 0,
}: OnlyThisComputerProps) {
  const isAlone = useIsAlone()

  const manages = useManagesHost() === true
  const isShared = useHostSettings(isAlone && manages).data?.settings.sharing
  const { setSharing, isPending } = useSetSharing()
  const hint = useHint(manages, isShared)
  if (!isAlone) return null

  return (
    <Group gap="4px 8px" mt={mt} role="note">
      <Group gap={6} wrap="nowrap" align="flex-start" maw="100%">
        <IconAlertTriangle
          size={16}
          color="var(--mantine-color-orange-light-color)"
          style={{ flexShrink: 0, marginTop: 2 }}
          aria-hidden
        />
        <Text size="sm">{hint === '' ? text : `${text} ${hint}`}</Text>
      </Group>
      {manages && isShared === false && (
        <Button
          size="compact-sm"
          variant="light"
          loading={isPending}
          onClick={() => setSharing(true, onShared)}
        >
          Share on this network
        </Button>
      )}
    </Group>
  )
}

/** Asks the person who manages the host, by name, to share it. */
export function useAskToShare(): string {
  const { hostName } = useSession()
  return `Ask ${hostName ?? 'the host'} to share it.`
}

/** Instructions where there is no button. */
function useHint(manages: boolean, isShared: boolean | undefined): string {
  const { user } = useSession()
  const ask = useAskToShare()
  if (manages)
    return isShared === true
      ? 'This host is shared, but this computer is on no network that may reach it.'
      : ''
  return user?.is_host === true ? 'Share it in the Slipway app, or with “slipway manage”.' : ask
}
