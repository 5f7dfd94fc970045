import type { LinkedFile } from '../../../server/contract'
import { CopyButton } from '../parts/send'
import { FileName } from '../parts/text'
import { buildHref, type Place } from './file-parts'
import type { PageProps } from './page-props'

interface FilesProps extends Place {
  files: readonly LinkedFile[]
  /** Of the release, newest first. */
  all: readonly LinkedFile[]
  /** The ids of those that this visitor gets from the bucket. */
  fromBucket: readonly string[]
}

/**
 * Offers files from the host that usually come from the bucket, for visitors whom the bucket fails.
 */
export function FromHost({ files, all, fromBucket, ...place }: FilesProps) {
  const affected = files.filter(({ file_id }) => fromBucket.includes(file_id))
  if (affected.length === 0) return null
  return (
    <details>
      <summary>Trouble downloading these files?</summary>
      <HostLinks files={affected} all={all} {...place} />
    </details>
  )
}

const HostLinks = ({ files, all, ...place }: Omit<FilesProps, 'fromBucket'>) => (
  <>
    <p>
      Large files come from a bucket, a storage service on the internet. If one does not arrive,
      download it from this host, which can be slower.
    </p>
    <ul className="links">
      {files.map((file) => (
        <li key={file.file_id}>
          <a href={`${buildHref(place, file, all)}?from=host`} download={file.filename}>
            <FileName filename={file.filename} />
          </a>
          <span className="fine">from this host</span>
        </li>
      ))}
    </ul>
  </>
)

/** What to try when the main download does not start. */
export function Trouble({ file, ...props }: PageProps & { file: LinkedFile }) {
  const { page, host, tester } = props
  const all = page.release?.files ?? []
  const address = host.url + buildHref(props, file, all)

  return (
    <details>
      <summary>Trouble downloading?</summary>
      <p>
        If the download stops, resume it in the list of downloads of your browser: it continues
        where it stopped.
      </p>
      {tester === undefined && (
        <>
          <p>Or open the address in another browser or a download manager.</p>
          <div>
            <CopyButton value={address} label="Copy the address" />
          </div>
        </>
      )}
      {page.from_bucket.includes(file.file_id) && <HostLinks files={[file]} all={all} {...props} />}
      <p>
        If the file does not open, compare the SHA-256 above: another one means that the file is not
        complete.
      </p>
    </details>
  )
}
