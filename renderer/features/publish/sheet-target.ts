import type { Project } from '../../../server/contract'
import { extensionOf } from '../../../server/texts/filename'
import type { PublishPlace } from '../uploads/drop/drop-place'
import type { Unfinished } from '../uploads/transport/unfinished'

/** Where the files go: `new` project, `none`, or the id of a project. */
export type Target = string

interface Arrival {
  place: PublishPlace
  /** The projects that the person may add files to. */
  projects: readonly Project[]
  /** Application id of the package, once the host has read it. */
  appId: string | null | undefined
  /** The interrupted upload of the only file. */
  begun: Unfinished | undefined
}

/** The project of the page or of the interrupted upload, else the one with a build of the same application. */
export function suggestTarget({ place, projects, appId, begun }: Arrival): Target {
  if (place.project) return place.project.id
  if (begun) return begun.project_id ?? 'none'
  const isSameApp = ({ downloads }: Project) => downloads.some(({ facts }) => facts?.app_id === appId)
  const match = appId ? projects.find(isSameApp) : undefined
  return match?.project_id ?? (place.isStore ? 'none' : 'new')
}

/** 'lantern_app-1.4.0-beta.apk' → 'Lantern app'. */
export function titleOfFilename(filename: string): string {
  const extension = extensionOf(filename)
  const name = extension === '' ? filename : filename.slice(0, -extension.length - 1)
  const words = name
    .replace(/[-_ ]+v?\d+(\.\d+)+.*$/i, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
  const title = words === '' ? name : words
  return title.charAt(0).toUpperCase() + title.slice(1)
}
