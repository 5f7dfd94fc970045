import type { ReactNode } from 'react'
import { formatSize } from '../../../server/texts/format'
import type { InstallBuild, InstallView } from '../../../server/texts/install-view'
import { TypeIcon } from '../parts/file-icons'
import { FileName, ProjectIcon } from '../parts/text'
import { Build, Obstacle } from './install-build'
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
      {view.registration !== null && (
        <p>
          <a href={view.registration}>Send the identifier of this device</a>
        </p>
      )}
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
