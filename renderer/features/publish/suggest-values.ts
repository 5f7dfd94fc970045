import type { Project } from '../../../server/contract'
import { commonPlatform } from '../uploads/form/prepare-release'
import type { PublishPlace } from '../uploads/drop/drop-place'
import { toOptions } from '../uploads/transport/unfinished'
import type { PublishValues } from './publish-decision'
import { suggestTarget, titleOfFilename } from './sheet-target'
import type { PackageNames } from './use-package'
import type { useSheetFiles } from './use-sheet-files'

interface Arrival {
  place: PublishPlace
  sheet: Pick<ReturnType<typeof useSheetFiles>, 'accepted' | 'begun'>
  /** The projects that the person may add files to. */
  projects: readonly Project[]
  app: PackageNames
}

/** What the fields say until the person edits them. An interrupted upload keeps its options. */
export function suggestValues({ place, sheet, projects, app }: Arrival): PublishValues {
  const { accepted, begun } = sheet
  const options = begun && toOptions(begun, projects)
  const names = accepted.map(({ file }) => file.name)
  return {
    target: suggestTarget({ place, projects, appId: app.appId, begun }),
    title: app.name ?? titleOfFilename(names[0] ?? ''),
    isPublic: options?.isPublic,
    shares: true,
    version: options?.version ?? place.version ?? '',
    platform: options?.platform ?? commonPlatform(names),
    channel: '',
    isDraft: false,
  }
}
