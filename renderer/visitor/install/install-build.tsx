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
import { FileName } from '../parts/text'

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
          {offer.checks.length > 0 && (
            <SystemPrompts checks={offer.checks} system={build.platform ?? device} />
          )}
          {offer.needsTrust && <Trust />}
          {offer.obtainium !== null && (
            <p>
              <a href={offer.obtainium}>Add to Obtainium</a>, if you use it for updates.
            </p>
          )}
        </>
      )}
      {offer?.isDownload && <FileHash build={build} device={device} />}
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

/** What the system asks. The day is the oldest on which one of the sentences was compared. */
function SystemPrompts({
  checks,
  system,
}: {
  checks: readonly VisitorCheck[]
  /** Of the build: its page may be read on another device. */
  system: InstallView['device']
}) {
  const [oldest = ''] = checks.map(({ as_of }) => as_of).toSorted()

  return (
    <div className="install-checks">
      <h2>What {system ?? 'your device'} may say</h2>
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
      <p className="fine">{asOfWords(oldest)}. The maker of the system may change these rules.</p>
    </div>
  )
}

export const Obstacle = ({
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
    This host uses its own certificate. If your device warns you or cannot install the app,{' '}
    <a href="/trust">trust this host</a> first. You need to do this only once.
  </p>
)

/** How to check the SHA-256 of a downloaded copy on this system. */
function FileHash({ build, device }: { build: InstallBuild; device: InstallView['device'] }) {
  return (
    <details>
      <summary>Check the file</summary>
      <p>If your copy has this SHA-256, it is the published file, byte for byte.</p>
      <p>
        <code title={`SHA-256 ${build.sha256}`}>{build.sha256}</code>
      </p>
      {device !== undefined && <HashCommand build={build} device={device} />}
    </details>
  )
}

interface HashCommandProps {
  build: InstallBuild
  device: NonNullable<InstallView['device']>
}

function HashCommand({ build, device }: HashCommandProps) {
  const command = verifyCommands(build.filename, build.sha256).find(({ system }) =>
    system.startsWith(device),
  )
  if (!command) return null

  return (
    <>
      <p>In the folder of the file, on {command.system}:</p>
      <pre className="command">
        <code>{command.command}</code>
      </pre>
    </>
  )
}
