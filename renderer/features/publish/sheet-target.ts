import type { Project } from '../../../server/contract'
import { titleOfFilename } from '../../../server/texts/filename'
import { ApiError } from '../../lib/client/api-client'
import { messages } from '../../lib/texts/messages'
import type { PublishPlace } from '../uploads/drop/drop-place'
import { commonPlatform } from '../uploads/form/prepare-release'
import { toOptions, type Unfinished } from '../uploads/transport/unfinished'
import type { PublishValues, Target } from './publish-decision'
import type { PackageNames } from './use-package'
import type { useSheetFiles } from './use-sheet-files'

interface Arrival {
  place: PublishPlace
  /** The projects that the person may add files to. */
  projects: readonly Project[]
  /** Application id of the package, once the host has read it. */
  appId: string | null | undefined
  /** The interrupted upload of the only file. */
  begun: Unfinished | undefined
}

/**
 * The project of the page or of the interrupted upload, else the one with a build of the same
 * application.
 */
export function suggestTarget({ place, projects, appId, begun }: Arrival): Target {
  if (place.project) return place.project.id
  if (begun) return begun.project_id ?? 'none'
  const isSameApp = ({ downloads }: Project) =>
    downloads.some(({ facts }) => facts?.app_id === appId)
  const match = appId ? projects.find(isSameApp) : undefined
  return match?.project_id ?? (place.isStore ? 'none' : 'new')
}

/**
 * The project with this id; undefined for a new one or none. Throws if it is missing, for example
 * deleted meanwhile.
 */
export function findTarget(target: Target, projects: readonly Project[]): Project | undefined {
  const project = projects.find(({ project_id }) => project_id === target)
  if (!project && target !== 'new' && target !== 'none')
    throw new ApiError('not_found', messages.project.notFound, 404)
  return project
}

interface Sheet {
  place: PublishPlace
  sheet: Pick<ReturnType<typeof useSheetFiles>, 'accepted' | 'begun'>
  /** The projects that the person may add files to. */
  projects: readonly Project[]
  app: PackageNames
}

/** Initial values of the fields. An interrupted upload keeps its options. */
export function suggestValues({ place, sheet, projects, app }: Sheet): PublishValues {
  const { accepted, begun } = sheet
  const options = begun && toOptions(begun, projects)
  const names = accepted.map(({ file }) => file.name)

  return {
    target: suggestTarget({ place, projects, appId: app.appId, begun }),
    title: app.name ?? titleOfFilename(names[0] ?? ''),
    slug: '',
    isPublic: options?.isPublic,
    shares: true,
    version: options?.version ?? place.version ?? '',
    platform: options?.platform ?? commonPlatform(names),
    channel: '',
    isDraft: false,
  }
}
