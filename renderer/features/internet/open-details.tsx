import { Anchor, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { InternetView } from '../../../server/contract'
import { formatDate } from '../../lib/texts/format'
import { paths } from '../../paths'
import { ShowQrCode } from '../../ui/dialog/show-qr-code'
import { Warning } from '../../ui/feedback/warning'
import { CopyButton } from '../../ui/text/copy-button'
import { useNow } from '../../ui/text/use-now'
import addressClasses from '../addresses/addresses.module.css'
import { useAddresses } from '../addresses/use-addresses'
import { certificateText, countTexts, crashText, internetWords } from './internet-words'
import classes from './internet.module.css'

/** People can open the link, or may be able to. */
const withLink: readonly InternetView['state'][] = [
  'open',
  'unproven',
  'ipv6_only',
  'certificate_failed',
  'tunnel_open',
]

const hasLink = ({ url, state }: InternetView) => url !== null && withLink.includes(state)

/** The public link, if there is one, and the buttons of the state. */
export function OpenLink({ view, children }: { view: InternetView; children: ReactNode }) {
  const { url } = view
  if (url === null || !hasLink(view))
    return children !== false && <Group gap="xs">{children}</Group>

  return (
    <Stack gap="xs">
      <p className={addressClasses.large} aria-label="Public address">
        {url}
      </p>
      <Group gap="xs">
        <CopyButton value={url} label="Copy link" />
        <ShowQrCode value={url} name="slipway" />
        {children}
      </Group>
      {view.hairpin === false && <HomeLink />}
    </Stack>
  )
}

/** Details while people outside can reach this host. */
export function OpenDetails({ view }: { view: InternetView }) {
  const { certificate, permanent } = view
  if (!hasLink(view)) return null

  return (
    <>
      {certificate !== null && certificate.problem !== null && certificate.until !== null && (
        <Warning title="The certificate could not be renewed">
          The certificate authority answered: “{certificate.problem}”. Slipway tries again. The
          certificate is valid until {formatDate(certificate.until)}.
        </Warning>
      )}
      {permanent && <Warning title={internetWords.permanent} />}
      <Facts view={view} />
    </>
  )
}

function Facts({ view }: { view: InternetView }) {
  const { registration_open: isRegistrationOpen, failed_sign_ins: failures } = view
  const now = useNow()
  const texts = [certificateText(view, now), crashText(view, now)].filter((text) => text !== '')

  return (
    <ul className={classes.facts} aria-label="Details">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
      <li>
        {countTexts(view)}
        {failures > 0 && (
          <>
            {' '}
            <Anchor component={Link} to={paths.audit} fz="inherit" underline="always">
              Audit log
            </Anchor>
          </>
        )}
      </li>
      {isRegistrationOpen && (
        <li>
          Registration is open: anyone can create an account.{' '}
          <Anchor component={Link} to={paths.people} fz="inherit" underline="always">
            Change
          </Anchor>
        </li>
      )}
    </ul>
  )
}

/** For routers without hairpin NAT, which do not let local devices use the public address. */
function HomeLink() {
  const home = useAddresses().data?.find(
    ({ kind, offered }) => offered && (kind === 'wifi' || kind === 'network'),
  )

  return (
    <Group gap="xs">
      <Text flex="1 1 16rem" c="dimmed">
        {internetWords.noHairpin}
        {home && ' Copy the home link for them.'}
      </Text>
      {home && <CopyButton value={home.url} label="Copy home link" />}
    </Group>
  )
}

/**
 * Tunnels of other programs. Slipway shows their address and limits, and does not start or stop
 * them.
 */
export function OtherTunnels({ tunnels }: { tunnels: InternetView['other_tunnels'] }) {
  return tunnels.map(({ program, url }) => (
    <Stack key={url} gap="xs" role="group" aria-label={`Tunnel of ${program}`}>
      <Text>
        <b>{program}</b> publishes this host. {internetWords.limits[program]}
      </Text>
      <p className={classes.value}>{url}</p>
      <Group gap="xs">
        <CopyButton value={url} label={`Copy link of ${program}`} />
      </Group>
    </Stack>
  ))
}
