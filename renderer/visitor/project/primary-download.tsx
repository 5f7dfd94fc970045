import type { ReactNode } from 'react'
import type { LinkedFile } from '../../../server/contract'
import { platformOf } from '../../../server/contract/files/platforms'
import { channelWords, needsLine, obstacles, versionOf } from '../../../server/texts/download-texts'
import { formatSize } from '../../../server/texts/format'
import { installNote } from '../../../server/texts/install-notes'
import { DownloadIcon } from '../parts/icons'
import { FileName, Time } from '../parts/text'
import { buildHref, Picture } from './file-parts'
import type { PageProps } from './page-props'
import { Trouble } from './trouble'

interface PrimaryDownloadProps extends PageProps {
  file: LinkedFile
  /** A link to the install page, which offers the newest release. */
  install?: ReactNode
}

/** The file on top of a page, and the one button that people came for. */
export function PrimaryDownload({ file, install, ...props }: PrimaryDownloadProps) {
  const { project, page, device, now, slots } = props
  const platform = platformOf(file)
  const note = installNote(file)
  return (
    <section className="primary" aria-label="Download">
      <div className="file">
        <Picture file={file} size={32} />
        <div className="names">
          <p className="prose">
            <b>
              <FileName filename={file.filename} />
            </b>
          </p>
          <Byline file={file} now={now} />
        </div>
      </div>
      <div className="action">
        <a className="button large" href={buildHref(props, file, page.release?.files ?? [])} download={file.filename}>
          <DownloadIcon size={20} /> {platform ? `Download for ${platform}` : 'Download'}
        </a>
      </div>
      <Needs {...props} file={file} />
      {install}
      {!page.fits && device !== undefined && (
        <p>
          There is no file for {device} here. This one is {platform ? `for ${platform}` : 'for another device'}.
        </p>
      )}
      {note && (
        <Details label={note.title}>
          <ol>
            {note.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Details>
      )}
      <Details label="Check the file">
        <p>If your copy has this SHA-256, it is the file that {project.owner} published, byte for byte.</p>
        <p>
          <code title={`SHA-256 ${file.sha256}`}>{file.sha256}</code>
        </p>
        {slots?.check(file)}
      </Details>
      <Trouble {...props} files={[file]} all={page.release?.files ?? []} fromBucket={page.from_bucket} />
    </section>
  )
}

function Byline({ file, now }: { file: LinkedFile; now: Date }) {
  const { version, facts, release } = file
  return (
    <p className="byline">
      {version !== null && (
        <span>
          Version <bdi>{versionOf({ version, facts })}</bdi>
        </span>
      )}
      {release && release.channel !== 'stable' && <span className="badge">{channelWords(release.channel)}</span>}
      <span>{formatSize(file.size)}</span>
      <Time value={file.added_at} now={now} inSentence />
    </p>
  )
}

/** Whether the file fits a device, and what may stop its owner. */
function Needs({ page, file: { facts }, now }: PageProps & { file: LinkedFile }) {
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

const Details = ({ label, children }: { label: string; children: ReactNode }) => (
  <details>
    <summary>{label}</summary>
    {children}
  </details>
)
