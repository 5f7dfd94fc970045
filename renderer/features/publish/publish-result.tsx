import { Anchor, Button, Group, Menu, Stack, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExternalLink,
  IconLink,
  IconShare2,
} from '@tabler/icons-react'
import { Suspense, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useHost, useShareUrl } from '../../lib/host/host'
import { useAskToShare } from '../../lib/links/only-this-computer'
import { useManagesHost } from '../../lib/session/use-manages-host'
import { paths } from '../../paths'
import { WarningList } from '../../ui/feedback/warning-list'
import { CopyButton } from '../../ui/text/copy-button'
import { openShareLinks, type SharedFile } from '../share-links/share-place'
import { UploadList } from '../uploads/dock/upload-list'
import type { UploadQueue } from '../uploads/queue/upload-queue'
import type { Upload } from '../uploads/upload'
import classes from './publish.module.css'
import type { Decision } from './publish-decision'
import type { HostAddress } from '../../../server/contract'
import { useAddresses } from '../addresses/use-addresses'

const QrPicture = lazyPage(() => import('../../ui/dialog/qr-picture'), 'QrPicture')

interface PublishingProps {
  uploads: readonly Upload[]
  queue: UploadQueue
  onClose: () => void
}

export function Publishing({ uploads, queue, onClose }: PublishingProps) {
  return (
    <Stack gap="md">
      <UploadList uploads={uploads} queue={queue} />
      <Text c="dimmed">You can close this sheet. The upload continues.</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  )
}

interface PublishedProps {
  decision: Decision
  files: readonly SharedFile[]
  /** Finished uploads with warnings. */
  warned: readonly Upload[]
  onClose: () => void
}

/** The link, whether it works for others, and every way to send it. */
export function Published({ decision, files, warned, onClose }: PublishedProps) {
  const { project, isPublic, isDraft, version } = decision
  const slug = project?.slug ?? ''
  const path = isDraft ? paths.publicRelease(slug, version) : paths.publicProject(slug)
  const link = useShareUrl()(path)
  const managesHost = useManagesHost() === true

  return (
    <Stack gap="md">
      <p className={classes.link} aria-label="Link">
        {link.slice(0, -path.length)}
        <wbr />
        {path}
      </p>
      <Group gap="lg" align="flex-start">
        <Stack gap="sm" flex="1 1 15rem" miw={0}>
          {isDraft || !isPublic ? (
            <Text c="dimmed">
              Only you and collaborators can open it, after they log in.
              {isDraft && (
                <>
                  {' '}
                  <Anchor
                    component={Link}
                    to={paths.projectReleases(project?.project_id ?? '')}
                    onClick={onClose}
                    inherit
                    underline="always"
                  >
                    Publish it in Releases
                  </Anchor>
                </>
              )}
            </Text>
          ) : managesHost ? (
            <TestedLinkState link={link} onLeave={onClose} />
          ) : (
            <LinkState />
          )}
          <Group gap="xs">
            <CopyButton value={link} label="Copy link" look="main" />
            {!isPublic && <ShareFile files={files} />}
            <ShareButton title={project?.title ?? ''} link={link} />
          </Group>
        </Stack>
        <div className={classes.code}>
          <Suspense>
            <QrPicture value={link} />
          </Suspense>
        </div>
      </Group>
      {warned.map(({ id, file, warnings }) => (
        <Stack key={id} gap={4}>
          {files.length > 1 && (
            <Text size="xs" fw={500} component="bdi" style={{ overflowWrap: 'anywhere' }}>
              {file.name}
            </Text>
          )}
          <WarningList warnings={warnings ?? []} />
        </Stack>
      ))}
      <Group justify="space-between">
        <Anchor href={path} target="_blank" size="sm" className={classes.open ?? ''}>
          Open the page <IconExternalLink size={14} aria-hidden />
        </Anchor>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

/** A link to one of the private files, for people without an account. */
function ShareFile({ files }: { files: readonly SharedFile[] }) {
  const [first, ...others] = files
  if (!first) return null

  const button = (
    <Button
      variant="default"
      leftSection={<IconLink size={16} />}
      aria-haspopup={others.length > 0 ? 'menu' : 'dialog'}
      onClick={others.length > 0 ? undefined : () => openShareLinks(first)}
    >
      Share link…
    </Button>
  )
  if (others.length === 0) return button

  return (
    <Menu>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
        {files.map((file) => (
          <Menu.Item key={file.file_id} onClick={() => openShareLinks(file)}>
            <bdi>{file.filename}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The system's share sheet, where the browser has one. */
function ShareButton({ title, link }: { title: string; link: string }) {
  const share = (navigator as { share?: Navigator['share'] }).share?.bind(navigator)
  if (!share) return null

  return (
    <Button
      variant="default"
      leftSection={<IconShare2 size={16} />}
      // The person may close the sheet of the system.
      onClick={() => void share({ title, url: link }).catch(() => undefined)}
    >
      Share…
    </Button>
  )
}

const results: Record<HostAddress['test'], { works: boolean; text: string }> = {
  visited: { works: true, text: 'Tested: other devices open this address.' },
  proved: { works: true, text: 'Tested: it works from the internet.' },
  ok: { works: true, text: 'Tested: it answers on this network.' },
  untested: { works: true, text: 'It is open to the internet, but was not tested from there.' },
  unanswered: { works: false, text: 'Tested: nothing answers at this address.' },
  other_program: { works: false, text: 'Tested: another program answers at this address.' },
}

/** Result of the host's own check of this address, for its manager. */
function TestedLinkState({ link, onLeave }: { link: string; onLeave: () => void }) {
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
          <HostLink onLeave={onLeave}>Test with a phone</HostLink>
        </>
      )}
    </State>
  )
}

/**
 * Whether the host is shared, and who can change that. `onLeave`: for the person who manages it.
 */
function LinkState({ onLeave }: { onLeave?: () => void }) {
  const { reachable } = useHost()
  const ask = useAskToShare()
  if (reachable) return <State works text="Anyone who reaches this host can open it." />

  const text = 'Only this computer can open this link.'
  if (!onLeave) return <State works={false} text={`${text} ${ask}`} />

  return (
    <State works={false} text={text}>
      {' '}
      <HostLink onLeave={onLeave}>Share this host</HostLink>
    </State>
  )
}

const HostLink = ({ onLeave, children }: { onLeave: () => void; children: string }) => (
  <Anchor component={Link} to={paths.host} onClick={onLeave} size="sm" inherit underline="always">
    {children}
  </Anchor>
)

function State({ works, text, children }: { works?: boolean; text: string; children?: ReactNode }) {
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
