import type { ReactNode } from 'react'
import type { Project } from '../../../server/contract'
import { routes } from '../../../server/contract/routes'
import { limitWords } from '../../../server/texts/format'
import { PlatformIcon } from '../parts/file-icons'
import { DownloadIcon } from '../parts/icons'
import { Monogram, Nothing } from '../parts/text'
import { ProjectCards } from './project-card'

interface LandingPageProps {
  /** The address of the host. */
  url: string
  registrationOpen: boolean
  session: 'loading' | 'in' | 'out'
  now: Date
  /** Newest first; undefined until they are known. */
  projects: readonly Project[] | undefined
  /** In bytes. */
  largestFile: number
  /** Instead of projects that are not known. */
  waiting?: ReactNode
}

/** The first page of the host, for the server and the app. */
export const LandingPage = ({
  url,
  registrationOpen,
  session,
  now,
  projects,
  largestFile,
  waiting,
}: LandingPageProps) => (
  <div className="landing">
    <Hero url={url} session={session} />
    <section aria-labelledby="latest">
      <div className="row">
        <h2 id="latest">Latest Projects</h2>
        <a href={routes.browse}>All projects</a>
      </div>
      {projects ? <Latest projects={projects} now={now} /> : waiting}
    </section>
    <section aria-labelledby="features">
      <h2 id="features">From a file to a download</h2>
      <div className="features">
        <Features largest={limitWords(largestFile)} />
      </div>
    </section>
    {session === 'out' && <CallToAction isOpen={registrationOpen} />}
  </div>
)

const Hero = ({ url, session }: Pick<LandingPageProps, 'url' | 'session'>) => (
  <section className="hero">
    <h1>Publish your builds from a computer that you own</h1>
    <p className="lead">
      Upload a build, give it a page, send the link. Downloads go straight from this computer to
      your users. No cloud in between.
    </p>
    <p className="actions">
      <a
        className="button medium"
        href={session === 'in' ? routes.projects : routes.register}
        // Reserves its space until the session is loaded.
        style={session === 'loading' ? { visibility: 'hidden' } : undefined}
      >
        {session === 'in' ? 'My Projects' : 'Get Started Free'}
      </a>
      <a className="button medium quiet" href={routes.browse}>
        Browse Projects
      </a>
    </p>
    <p className="host">
      <span className="dot" aria-hidden="true" />
      <span>
        You are on <code>{url.replace(/^https?:\/\//, '')}</code>. Free, open source and
        self-hosted.
      </span>
    </p>
  </section>
)

const Latest = ({ projects, now }: { projects: readonly Project[]; now: Date }) =>
  projects.length === 0 ? (
    <Nothing
      level="h3"
      title="Nothing is published here yet"
      text="The first public project on this host will appear here."
    />
  ) : (
    <ProjectCards projects={projects} now={now} />
  )

const Features = ({ largest }: { largest: string }) => (
  <>
    <Feature
      title="Drop a build"
      text={
        `APK, IPA, EXE, DMG, ZIP and anything else, up to ${largest} each. Public or private, ` +
        'changed with one switch.'
      }
    >
      <div className="sheet">
        <div className="head">
          <PlatformIcon platform="Android" size={20} />
          <b className="cut">lantern-1.4.0.apk</b>
        </div>
        <progress value={64} max={100} />
        <div className="head fine">
          <span className="names">27.40 of 42.80 MB</span>
          <span className="badge">Public</span>
        </div>
      </div>
    </Feature>
    <Feature
      title="Give it a page"
      text={
        'Visitors get the right file for their device, its checksum and your news. You see ' +
        'downloads and views.'
      }
    >
      <div className="sheet">
        <div className="head">
          <Monogram name="Lantern" size={32} />
          <b className="names">Lantern</b>
          <span className="badge">1.4.0</span>
        </div>
        <span className="button small">
          <DownloadIcon size={16} /> Download for Android
        </span>
      </div>
    </Feature>
    <Feature
      title="Let CI do the rest"
      text="One API key and one line in your pipeline publish every build, over your own network."
    >
      <pre className="sheet">{PIPELINE}</pre>
    </Feature>
  </>
)

const PIPELINE = `$ curl -F file=@lantern.apk \\
    -F project_id=lantern \\
    -H "X-API-Key: $SLIPWAY_KEY" \\
    $HOST/api/files/upload
{ "success": true, … }`

const Feature = ({
  title,
  text,
  children,
}: {
  title: string
  text: string
  children: ReactNode
}) => (
  <article className="feature">
    <div className="picture" aria-hidden="true">
      {children}
    </div>
    <h3>{title}</h3>
    <p>{text}</p>
  </article>
)

const CallToAction = ({ isOpen }: { isOpen: boolean }) => (
  <section className="call" aria-labelledby="call">
    <h2 id="call">
      {isOpen ? 'Your first page takes two minutes' : 'Have an account on this host?'}
    </h2>
    <p>
      {isOpen
        ? 'Create an account, drop a file, copy the link.'
        : 'Sign in to publish and manage files.'}
    </p>
    <a className="button medium" href={isOpen ? routes.register : routes.login}>
      {isOpen ? 'Create an account' : 'Login'}
    </a>
  </section>
)
