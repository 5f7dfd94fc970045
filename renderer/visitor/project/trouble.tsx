import type { LinkedFile } from '../../../server/contract'
import { FileName } from '../parts/text'
import { buildHref } from './file-parts'
import type { PageProps } from './page-props'

interface TroubleProps extends Pick<PageProps, 'project' | 'base' | 'tester'> {
  files: readonly LinkedFile[]
  /** Of the release, newest first. */
  all: readonly LinkedFile[]
  /** The ids of those that this visitor gets from the bucket. */
  fromBucket: readonly string[]
}

/** Offers files from the host that usually come from the bucket, for visitors whom the bucket fails. */
export function Trouble({ files, all, fromBucket, ...page }: TroubleProps) {
  const affected = files.filter(({ file_id }) => fromBucket.includes(file_id))
  if (affected.length === 0) return null
  return (
    <details>
      <summary>Trouble downloading?</summary>
      <p>
        Large files come from a bucket, a storage service on the internet. If one does not arrive, download it from this
        host, which can be slower.
      </p>
      <ul className="links">
        {affected.map((file) => (
          <li key={file.file_id}>
            <a href={`${buildHref(page, file, all)}?from=host`} download={file.filename}>
              <FileName filename={file.filename} />
            </a>
            <span className="fine">from this host</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
