import type { ReactNode } from 'react'
import { platformOf, type LinkedFile, type Platform, type Project } from '../../../server/contract'
import { formatSize } from '../../../server/contract/visitor/format'
import { installNote } from '../../../server/contract/visitor/install-notes'
import { DownloadIcon } from '../parts/icons'
import { FileName, Time } from '../parts/text'
import { downloadOf, Picture } from './file-parts'
import type { ProjectSlots } from './page-props'

interface PrimaryDownloadProps {
  project: Project
  file: LinkedFile
  /** The visitor's platform if the file is for another one. */
  misfit: Platform | undefined
  now: Date
  slots: ProjectSlots | undefined
  /** What the addresses of a tester link begin with. */
  testerBase: string | undefined
}

export function PrimaryDownload({ project, file, misfit, now, slots, testerBase }: PrimaryDownloadProps) {
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
          <p className="byline">
            {file.version !== null && <span>Version {file.version}</span>}
            <span>{formatSize(file.size)}</span>
            <Time value={file.added_at} now={now} inSentence />
          </p>
        </div>
      </div>
      <div className="action">
        <a className="button large" href={downloadOf(project, file, testerBase)} download={file.filename}>
          <DownloadIcon size={20} /> {platform ? `Download for ${platform}` : 'Download'}
        </a>
      </div>
      {misfit !== undefined && (
        <p>
          There is no file for {misfit} here. This one is {platform ? `for ${platform}` : 'for another device'}.
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
    </section>
  )
}

const Details = ({ label, children }: { label: string; children: ReactNode }) => (
  <details>
    <summary>{label}</summary>
    {children}
  </details>
)
