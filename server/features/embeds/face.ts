import { VISITOR } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { Project } from '../../contract'
import { presentListedProject } from '../projects/presenter'
import { publicAudience } from '../releases/audience'
import type { ProjectView } from '../projects/project-view'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

/** The parts of a project that other sites show. */
export interface Face {
  /** What visitors see of it. */
  view: ProjectView
  /** The project as visitors see it. */
  project: Project
  /**
   * Version of the newest release with files; stable releases come first. Null if there is none.
   */
  version: string | null
}

/** Finds what visitors may see of a project. Throws `not_found`. */
export function findFace(deps: Deps, idOrSlug: string): Face {
  const { view } = publicAudience(deps, VISITOR, idOrSlug)
  const project = presentListedProject(deps, view)
  return {
    view,
    project,
    version: view.findNewestVersion() ?? project.downloads[0]?.version ?? null,
  }
}
