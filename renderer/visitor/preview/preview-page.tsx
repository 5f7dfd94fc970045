import { formatDate } from '../../../server/texts/format'
import { shortCommit, type PreviewPageView } from '../../../server/texts/preview-view'
import { Builds, InstallBody } from '../install/install-page'
import { ProjectIcon, Time } from '../parts/text'

interface PreviewPageProps {
  view: PreviewPageView
  now: Date
}

/** The newest build of a pull request, and what the build is. Works without scripts. */
export function PreviewPage({ view, now }: PreviewPageProps) {
  const { install, builds } = view
  const { report } = install

  return (
    <article className="install-page">
      <Header view={view} now={now} />
      <InstallBody view={install}>
        {builds.map((build, index) => (
          <Builds
            key={build.number}
            title={<BuildTitle build={build} isNewest={index === 0} now={now} />}
            builds={build.files}
          />
        ))}
        {report !== null && (
          <p>
            <a href={report}>Report a problem</a>
          </p>
        )}
      </InstallBody>
    </article>
  )
}

function Header({ view, now }: PreviewPageProps) {
  const { name, title, requestUrl, until, install, builds } = view
  const [newest] = builds

  return (
    <>
      <header className="title">
        <ProjectIcon project={{ title: install.title, icon_url: install.icon }} size={56} />
        <div className="names">
          <h1>
            Preview of <bdi>{install.title}</bdi>
          </h1>
          <p className="byline">
            <span className="badge">{name}</span>
            {newest?.commit != null && (
              <span>
                Commit <code title={newest.commit}>{shortCommit(newest.commit)}</code>
              </span>
            )}
            {newest && (
              <span>
                Built <Time value={newest.createdAt} now={now} inSentence />
              </span>
            )}
            {requestUrl !== null && (
              <a href={requestUrl} rel="nofollow noreferrer">
                Open the request
              </a>
            )}
          </p>
        </div>
      </header>
      {title !== '' && (
        <p className="preview-title">
          <bdi>{title}</bdi>
        </p>
      )}
      <p className="preview-note">
        This is a preview, not a release: it may not work, and it does not update itself. The link
        works until <time dateTime={until}>{formatDate(until)}</time>.
      </p>
    </>
  )
}

interface BuildTitleProps {
  build: PreviewPageView['builds'][number]
  isNewest: boolean
  now: Date
}

const BuildTitle = ({ build: { number, commit, createdAt }, isNewest, now }: BuildTitleProps) => (
  <>
    {isNewest ? 'All files' : 'Before'} · build {number}
    {commit !== null && ` · ${shortCommit(commit)}`} ·{' '}
    <Time value={createdAt} now={now} inSentence />
  </>
)
