import { Anchor, Checkbox, Stack, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconBroadcast,
  IconCertificate,
  IconMapPin,
  IconRouter,
  IconServer,
  IconUserOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { HostSettings, InternetView } from '../../../../server/contract'
import { MarkedItem, MarkedList } from '../../../ui/layout/marked-list'
import { internetWords } from '../internet-words'

export interface Terms {
  isAccepted: boolean
  keepsRegistration: boolean
}

export const noTerms: Terms = { isAccepted: false, keepsRegistration: false }

interface ConsentProps {
  way: 'router' | 'tunnel'
  view: InternetView
  settings: HostSettings
  /** On the internet: of the router or of the server. */
  port: string
  hasCertificate?: boolean
  terms: Terms
  onChange: (terms: Terms) => void
}

/** Everything that opening does and makes public, with the two choices of the person. */
export function Consent({
  way,
  view,
  settings,
  port,
  hasCertificate = true,
  terms,
  onChange,
}: ConsentProps) {
  const isRouter = way === 'router'
  const { stun_server: stun, internet_name: name } = settings

  return (
    <Stack gap="sm">
      <Text>When you start, this happens:</Text>
      <MarkedList label="What happens">
        <Item icon={isRouter ? IconRouter : IconServer}>{openingText(way, view, port)}</Item>
        {hasCertificate ? (
          <CertificateItem
            settings={settings}
            wasAccepted={view.terms_accepted}
            terms={terms}
            onChange={onChange}
          />
        ) : (
          <Item icon={IconCertificate}>{internetWords.noCertificate}</Item>
        )}
        <RegistrationItem isOpen={view.registration_open} terms={terms} onChange={onChange} />
        {isRouter && stun !== '' && (
          <Item icon={IconBroadcast}>Slipway asks {stun} which address the internet sees.</Item>
        )}
        <Item icon={IconMapPin}>
          {isRouter
            ? 'Links show the internet address of your ' +
              `home${name === '' ? '' : ', also behind a name'}. Anyone with a link can find ` +
              'out roughly where you live.'
            : 'Links show the address of your server. Visitors do not see the address of your ' +
              'home.'}
        </Item>
        <Item icon={IconArrowBackUp}>
          Stop undoes all of it at once. Quitting closes the port too; the next start opens it
          again.
        </Item>
      </MarkedList>
    </Stack>
  )
}

function openingText(way: 'router' | 'tunnel', { state }: InternetView, port: string): string {
  if (way === 'tunnel')
    return `Slipway connects to your server, which sends its port ${port} to this computer.`
  if (state === 'no_router_help') {
    return `Your router did not answer. You forward port ${port} yourself; the next step shows how.`
  }
  return `Your router opens port ${port} and sends it to this computer.`
}

function Item({ icon: Picture, children }: { icon: typeof IconRouter; children: ReactNode }) {
  return <MarkedItem mark={<Picture size={18} aria-hidden />}>{children}</MarkedItem>
}

interface ChoiceProps {
  terms: Terms
  onChange: (terms: Terms) => void
}

function CertificateItem({
  settings,
  wasAccepted,
  terms,
  onChange,
}: ChoiceProps & { settings: HostSettings; wasAccepted: boolean }) {
  const { acme_directory: directory, internet_name: name } = settings
  const { authority, url } = authorityOf(directory)

  return (
    <Item icon={IconCertificate}>
      {authority} issues a certificate for {name === '' ? 'your address' : name}.{' '}
      {name === '' ? 'The address' : 'The name'} becomes public in certificate logs.
      <Checkbox
        mt="xs"
        required
        label={
          <>
            I accept the{' '}
            <Anchor href={url} target="_blank" rel="noreferrer" fz="inherit" underline="always">
              terms of {authority}
            </Anchor>
          </>
        }
        disabled={wasAccepted}
        checked={wasAccepted || terms.isAccepted}
        onChange={({ currentTarget: { checked } }) => onChange({ ...terms, isAccepted: checked })}
      />
    </Item>
  )
}

/** Let's Encrypt has a page with its terms; another authority names them in its directory. */
function authorityOf(directory: string): { authority: string; url: string } {
  const { hostname } = new URL(directory)
  const isLetsEncrypt = hostname.endsWith('.api.letsencrypt.org')
  return isLetsEncrypt
    ? { authority: 'Let’s Encrypt', url: 'https://letsencrypt.org/repository/' }
    : { authority: hostname, url: directory }
}

function RegistrationItem({ isOpen, terms, onChange }: ChoiceProps & { isOpen: boolean }) {
  if (!isOpen)
    return (
      <Item icon={IconUserOff}>Registration stays closed. New people need an invite link.</Item>
    )

  return (
    <Item icon={IconUserOff}>
      {terms.keepsRegistration
        ? 'Registration stays open. Anyone on the internet can create an account.'
        : 'Registration closes. New people need an invite link.'}
      <Checkbox
        mt="xs"
        label="Leave registration open"
        checked={terms.keepsRegistration}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ ...terms, keepsRegistration: checked })
        }
      />
    </Item>
  )
}
