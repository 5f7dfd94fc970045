import type { ReactNode } from 'react'
import type { LinkedFile } from '../../../server/contract'
import { platformOf } from '../../../server/contract/files/platforms'
import {
  channelWords,
  deviceWords,
  needsLine,
  obstacles,
  versionOf,
} from '../../../server/texts/download-texts'
import { damagedFile } from '../../../server/texts/files/damaged-file'
import { formatSize } from '../../../server/texts/format'
import { downloadWords, installNote } from '../../../server/texts/install-notes'
import { DownloadIcon } from '../parts/icons'
import { FileName, Time } from '../parts/text'
import { installHref, isInstalled, linkTo, Picture, Started } from './file-parts'
import type { PageProps } from './page-props'
import { Trouble } from './trouble'
import { Unavailable } from './unavailable'

interface CardProps extends PageProps {
  file: LinkedFile
  /** On the page of a release: its version. */
  only?: string | undefined
}

/**
 * The file on top of a page, and the one button that people came for; or that there is none for
 * this device.
 */
export function PrimaryDownload(props: CardProps) {
  const { file, page, device } = props
  if (!page.fits && device !== undefined) return <Unavailable {...props} device={device} />

  return (
    // A new card for each file: another one has not been downloaded yet.
    <section key={file.file_id} className="primary" aria-label="Download">
      <div className="file">
        <Picture file={file} size={32} />
        <div className="names">
          <p className="prose">
            <b>
              <FileName filename={file.filename} />
            </b>
          </p>
          <Byline {...props} />
        </div>
      </div>
      <Action {...props} />
    </section>
  )
}

function Action(props: CardProps) {
  const { file, project } = props
  if (file.is_damaged) return <Obstacle {...damagedFile(project.owner)} />
  return isInstalled(props, file) ? <Install {...props} /> : <Download {...props} />
}

const Obstacle = ({ title, text }: { title: string; text: string }) => (
  <div className="obstacle">
    <h2>{title}</h2>
    <p>{text}</p>
  </div>
)

function Byline({ project, file: { version, facts, release, size, added_at }, now }: CardProps) {
  return (
    <p className="byline">
      {version !== null && (
        <span>
          {/* Another version in the package is for members to mend. */}
          Version <bdi>{project.role === null ? version : versionOf({ version, facts })}</bdi>
        </span>
      )}
      {release && release.channel !== 'stable' && (
        <span className="badge">{channelWords(release.channel)}</span>
      )}
      <span>{formatSize(size)}</span>
      <Time value={added_at} now={now} inSentence />
    </p>
  )
}

/** On an iPhone: the install page installs the app. If it cannot, the card says why. */
function Install(props: CardProps) {
  const { base, page, only } = props
  const { channel, obstacle } = page

  return (
    <>
      {obstacle && <Obstacle {...obstacle} />}
      <div className="action">
        <a
          className={obstacle ? 'button medium quiet' : 'button large'}
          href={installHref(base, channel, only)}
        >
          {obstacle ? 'Other builds' : <InstallLabel />}
        </a>
      </div>
      {!obstacle && <Needs {...props} />}
      <OtherChannel {...props} />
    </>
  )
}

const InstallLabel = () => (
  <>
    <DownloadIcon size={20} /> Install
  </>
)

function Download(props: CardProps) {
  const { file, base, page, only, device, project, tester, slots } = props
  const note = installNote(file)
  const isPhone = device === 'Android' || device === 'iOS'

  return (
    <>
      <div className="action">
        <a className="button large" {...linkTo(props, file, page.release?.files ?? [])}>
          <DownloadIcon size={20} /> {downloadWords(platformOf(file))}
        </a>
      </div>
      <Started />
      {note && (
        // The pages of testers have no scripts, so nothing would unfold it after their click.
        <Details label={note.title} className="steps" isOpen={tester !== undefined}>
          <ol>
            {note.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Details>
      )}
      <Needs {...props} />
      <OtherChannel {...props} />
      <p>
        <a href={installHref(base, page.channel, only)}>
          Installation help{isPhone ? '' : ' and QR code'}
        </a>
      </p>
      <Details label="Check the file">
        <p>
          If your copy has this SHA-256, it is the file that {project.owner} published, byte for
          byte.
        </p>
        <p>
          <code title={`SHA-256 ${file.sha256}`}>{file.sha256}</code>
        </p>
        {slots?.check(file)}
      </Details>
      <Trouble {...props} />
    </>
  )
}

/** A channel may have no file for this device, so that a stable release is on top. */
function OtherChannel({ page: { channel, release, releases }, device }: PageProps) {
  if (device === undefined || !release || release.channel === channel) return null

  const hasOwn = releases.some(
    (it) => it.channel === channel && it.files.some((file) => platformOf(file) === device),
  )
  if (hasOwn) return null

  return (
    <p>
      No {channel} for {deviceWords(device)}. The newest is <bdi>{release.version}</bdi> (
      {release.channel}).
    </p>
  )
}

/** Whether the file fits a device, and what may stop its owner. */
function Needs({ page, file: { facts }, now }: CardProps) {
  if (!facts) return null

  const deps = needsLine(facts, page.signer)
  const stopping = obstacles(facts, page.signer, now)

  return (
    <>
      {deps !== '' && (
        <p className="needs">
          <bdi>{deps}</bdi>
        </p>
      )}
      {stopping.length > 0 && (
        <ul className="obstacles" aria-label="Before you download">
          {stopping.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </>
  )
}

interface DetailsProps {
  label: string
  className?: string
  isOpen?: boolean
  children: ReactNode
}

const Details = ({ label, className, isOpen, children }: DetailsProps) => (
  <details className={className} open={isOpen}>
    <summary>{label}</summary>
    {children}
  </details>
)
