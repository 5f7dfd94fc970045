import type { LinkedFile } from '../../../server/contract'
import {
  isPackage,
  PLATFORMS,
  platformOf,
  type Platform,
} from '../../../server/contract/files/platforms'
import { deviceWords } from '../../../server/texts/download-texts'
import { joinWords } from '../../../server/texts/format'
import { SendPage } from '../parts/send'
import { FileLink, Started } from './file-parts'
import type { PageProps } from './page-props'

/**
 * Replaces the download if this device has none: offers to send the page to a device that has one.
 */
export function Unavailable({ device, ...props }: PageProps & { device: Platform }) {
  const { base, host, tester, Code } = props
  const builds = newestOfOthers(props)
  const names = builds.map(({ platform }) => deviceWords(platform))

  return (
    <section className="primary" aria-label="Download">
      <h2 className="away">Not available for {deviceWords(device)} yet</h2>
      <p>Available for {joinWords(names)}</p>
      <ul className="file-links">
        {builds.map(({ file, files }) => (
          <FileLink key={file.file_id} {...props} device={device} file={file} files={files} />
        ))}
      </ul>
      <Started />
      {/* The address of a tester link is secret: testers share it only from the address bar. */}
      {tester === undefined && <SendPage address={host.url + base} Code={Code} />}
    </section>
  )
}

interface OtherBuild {
  platform: Platform
  file: LinkedFile
  /** Version of its release. */
  files: readonly LinkedFile[]
}

/** The newest package for each platform that the page has one for. */
function newestOfOthers({
  page: { file: top, release, releases, files },
}: Pick<PageProps, 'page'>): OtherBuild[] {
  // The list of files without a release leaves out the one on top.
  const loose = top?.release === null ? [top, ...files] : files
  const groups = [...(release ? [release] : []), ...releases].map(({ files }) => files)
  const all = [...groups, loose].flatMap((group) => group.map((file) => ({ file, files: group })))
  return PLATFORMS.flatMap((platform) => {
    const newest = all.find(({ file }) => platformOf(file) === platform && isPackage(file))
    return newest ? [{ platform, ...newest }] : []
  })
}
