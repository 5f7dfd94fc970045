import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import type { InstallBuild } from '../../texts/install-view'
import { factsLine } from '../../texts/files/facts-line'
import { buildReleasePath, type Audience } from '../releases/audience'
import { platformOfListed } from '../releases/choose-file'
import type { Released } from './choose'

/** Presents a build on the install page. */
export function presentBuild(
  deps: Rooms<'files'>,
  audience: Audience,
  released: Released,
): InstallBuild {
  const { release, listed } = released
  const { file, link } = listed
  const { facts } = deps.files.presentPackage(file)

  return {
    filename: file.filename,
    version: release?.version ?? link.version ?? deps.files.versionOf(file),
    size: file.size,
    sha256: file.sha256,
    platform: platformOfListed(listed) ?? null,
    facts: facts ? factsLine({ ...facts, version: null, build: null }) : '',
    address: toFilePath(audience, released),
  }
}

/** Returns the path of a file. A file without a version has one below the project only. */
export const toFilePath = (audience: Audience, { release, listed: { file } }: Released): string =>
  release
    ? buildReleasePath(audience, release, file)
    : api.projects.download.path.replace(':id', audience.project.id).replace(':downloadId', file.id)
