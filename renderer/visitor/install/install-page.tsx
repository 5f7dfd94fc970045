import type { ReactNode } from 'react'
import { formatSize } from '../../../server/texts/format'
import type { InstallNote } from '../../../server/texts/install-steps'
import type {
  InstallBuild,
  InstallObstacle,
  InstallView,
  VisitorCheck,
} from '../../../server/texts/install-view'
import { asOfWords } from '../../../server/texts/platform-checks'
import { verifyCommands } from '../../../server/texts/verify-commands'
import { TypeIcon } from '../parts/file-icons'
import { DownloadIcon } from '../parts/icons'
import { FileName, ProjectIcon } from '../parts/text'
import { PhoneCode } from './phone-code'

/**
 * Installs the newest build on the reader's device, with its steps, or says why it cannot. Works
 * without scripts.
 */
export const InstallPage = ({ view }: { view: InstallView }) => (
  <article className="install-page">
    <Header view={view} />
    <InstallBody view={view}>
      <p>
        <a href={view.page}>About this project, all versions and notes</a>
      </p>
      {view.report !== null && (
        <p>
          <a href={view.report}>Report a problem</a>
        </p>
      )}
    </InstallBody>
  </article>
)

/** The build for this device, and ways to the others. `children`: below the builds. */
export function InstallBody({ view, children }: { view: InstallView; children: ReactNode }) {
  const { build, code, obstacle, others, tablet } = view

  return (
    <div className={code ? 'install-columns' : undefined}>
      <div className="install-main">
        {build && <Build view={view} build={build} />}
        {!build && obstacle && <Obstacle obstacle={obstacle} />}
        {tablet !== null && (
          <p className="actions">
            <a className="button medium quiet" href={tablet}>
              On an iPad
            </a>
          </p>
        )}
        {others.length > 0 && (
          <Builds
            title={build ? 'Other builds for this device' : 'Other devices'}
            builds={others}
          />
        )}
        {children}
        <Devices view={view} />
      </div>
      {code && <PhoneCode code={code} />}
    </div>
  )
}

function Header({ view: { title, owner, icon, build, channel } }: { view: InstallView }) {
  return (
    <header className="title">
      <ProjectIcon project={{ title, icon_url: icon }} size={56} />
      <div className="names">
        <h1>
          Install <bdi>{title}</bdi>
        </h1>
        <p className="byline">
          {build?.version != null && (
            <span>
              Version <bdi>{build.version}</bdi>
            </span>
          )}
          {channel !== null && <span className="badge">{channel}</span>}
          <span>
            by <strong>{owner}</strong>
          </span>
        </p>
      </div>
    </header>
  )
}

interface BuildProps {
  view: Pick<InstallView, 'device' | 'offer' | 'obstacle'>
  build: InstallBuild
}

/** A build with the button that gets it and its steps, or why this device cannot install it. */
export function Build({ view, build }: BuildProps) {
  const { device, offer, obstacle } = view

  return (
    <section className="primary" aria-label={`For ${device ?? 'this device'}`}>
      <div className="file">
        <TypeIcon file={build} size={32} />
        <div className="names">
          <p className="prose">
            <b>
              <FileName filename={build.filename} />
            </b>
          </p>
          <p className="byline">
            <span>{formatSize(build.size)}</span>
            {build.facts !== '' && <bdi>{build.facts}</bdi>}
          </p>
        </div>
      </div>
      {obstacle && <Obstacle obstacle={obstacle} />}
      {offer && (
        <>
          {offer.limits.length > 0 && <p>{offer.limits.join(' ')}</p>}
          <div className="action">
            <a
              className="button large"
              href={offer.address}
              download={offer.isDownload ? build.filename : undefined}
            >
              <DownloadIcon size={20} /> {offer.label}
            </a>
          </div>
          {offer.steps && <Steps {...offer.steps} />}
          {offer.checks.length > 0 && <Checks checks={offer.checks} device={device} />}
          {offer.needsTrust && <Trust />}
          {offer.obtainium !== null && (
            <p>
              <a href={offer.obtainium}>Add to Obtainium</a>, if you use it for updates.
            </p>
          )}
        </>
      )}
      {offer?.isDownload && <Check build={build} device={device} />}
    </section>
  )
}

const Steps = ({ title, steps }: InstallNote) => (
  <div className="install-steps">
    <h2>{title}</h2>
    <ol>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </div>
)

/** What the system asks. The day is that of the sentence which was compared least recently. */
function Checks({
  checks,
  device,
}: {
  checks: readonly VisitorCheck[]
  device: InstallView['device']
}) {
  const [oldest = ''] = checks.map(({ as_of }) => as_of).toSorted()

  return (
    <div className="install-checks">
      <h2>What {device ?? 'your device'} may say</h2>
      <dl>
        {checks.map(({ title, visitors_see, visitors_do }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{visitors_see}</dd>
            <dd>
              <b>What to do:</b> {visitors_do}
            </dd>
          </div>
        ))}
      </dl>
      <p className="fine">{asOfWords(oldest)}. The rules are those of the maker of the system.</p>
    </div>
  )
}

const Obstacle = ({
  obstacle: { title, text, action, needsTrust },
}: {
  obstacle: InstallObstacle
}) => (
  <div className="obstacle">
    <h2>{title}</h2>
    <p>{text}</p>
    {needsTrust && <Trust />}
    {action && (
      <p className="actions">
        <a className="button medium" href={action.address}>
          {action.label}
        </a>
      </p>
    )}
  </div>
)

/** Once for each device. */
const Trust = () => (
  <p>
    This host has its own certificate. If your device warns of it or cannot install,{' '}
    <a href="/trust">trust this host</a> first, once.
  </p>
)

/** How to check a downloaded copy, on this system. */
function Check({ build, device }: { build: InstallBuild; device: InstallView['device'] }) {
  const command = verifyCommands(build.filename, build.sha256).find(({ system }) =>
    system.startsWith(device ?? '?'),
  )

  return (
    <details>
      <summary>Check the file</summary>
      <p>If your copy has this SHA-256, it is the published file, byte for byte.</p>
      <p>
        <code title={`SHA-256 ${build.sha256}`}>{build.sha256}</code>
      </p>
      {command && (
        <>
          <p>In the folder of the file, on {command.system}:</p>
          <pre className="command">
            <code>{command.command}</code>
          </pre>
        </>
      )}
    </details>
  )
}

interface BuildsProps {
  title: ReactNode
  builds: readonly InstallBuild[]
}

/** A list of files below a heading. */
export const Builds = ({ title, builds }: BuildsProps) => (
  <section>
    <h2>{title}</h2>
    <ul className="builds">
      {builds.map((build) => (
        <li key={build.address}>
          <a href={build.address} download={build.filename}>
            <TypeIcon file={build} size={20} />
            <FileName filename={build.filename} />
          </a>
          <span className="fine">{detailsOf(build)}</span>
        </li>
      ))}
    </ul>
  </section>
)

const detailsOf = ({ platform, version, size, facts }: InstallBuild): string =>
  [platform, version !== null && `Version ${version}`, formatSize(size), facts]
    .filter(Boolean)
    .join(' · ')

const Devices = ({ view: { devices } }: { view: InstallView }) => (
  <nav className="devices" aria-label="Other devices">
    <span>Not your device?</span>
    {devices.map(({ name, address, isShown }) => (
      <a key={name} href={address} aria-current={isShown ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
)
