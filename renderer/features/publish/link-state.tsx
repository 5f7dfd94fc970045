import { Anchor, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { HostAddress } from '../../../server/contract'
import { useHost } from '../../lib/host/host'
import { paths } from '../../paths'
import { useAddresses } from '../addresses/use-addresses'
import classes from './publish.module.css'

const results: Record<HostAddress['test'], { works: boolean; text: string }> = {
  visited: { works: true, text: 'Tested: other devices open this address.' },
  proved: { works: true, text: 'Tested: it works from the internet.' },
  ok: { works: true, text: 'Tested: it answers on this network.' },
  untested: { works: true, text: 'It is open to the internet, but was not tested from there.' },
  unanswered: { works: false, text: 'Tested: nothing answers at this address.' },
  other_program: { works: false, text: 'Tested: another program answers at this address.' },
}

/** Result of the host's own check of this address, for its manager. */
export function TestedLinkState({ link, onLeave }: { link: string; onLeave: () => void }) {
  const { data } = useAddresses()

  const address = data?.find(({ url }) => link.startsWith(`${url}/`))
  if (!data) return <State text="Testing the link…" />
  if (!address || address.kind === 'loopback') return <LinkState onLeave={onLeave} />
  const { works, text } = results[address.test]

  return (
    <State works={works} text={text}>
      {address.test !== 'visited' && address.test !== 'proved' && (
        <>
          {' '}
          <Anchor
            component={Link}
            to={paths.host}
            onClick={onLeave}
            size="sm"
            inherit
            underline="always"
          >
            Test with a phone
          </Anchor>
        </>
      )}
    </State>
  )
}

/**
 * Whether the host is shared, and who can change that. `onLeave`: for the person who manages it.
 */
export function LinkState({ onLeave }: { onLeave?: () => void }) {
  const { reachable } = useHost()
  if (reachable) return <State works text="Anyone who reaches this host can open it." />

  const text = 'Only this computer can open this link.'
  if (!onLeave) return <State works={false} text={`${text} Ask the host to share it.`} />

  return (
    <State works={false} text={text}>
      {' '}
      <Anchor
        component={Link}
        to={paths.host}
        onClick={onLeave}
        size="sm"
        inherit
        underline="always"
      >
        Share this host
      </Anchor>
    </State>
  )
}

interface StateProps {
  works?: boolean
  text: string
  children?: ReactNode
}

function State({ works, text, children }: StateProps) {
  const Picture = works === false ? IconAlertTriangle : IconCircleCheck

  return (
    <Text c="dimmed" role="status" className={classes.state ?? ''}>
      {works !== undefined && (
        <Picture size={18} color={works ? 'var(--accent-text)' : 'orange'} aria-hidden />
      )}
      <span>
        {text}
        {children}
      </span>
    </Text>
  )
}
