import type { Rooms } from '../../compose/context'
import type { Project } from '../../contract'
import { presentListedProject } from '../projects/presenter'
import { publicAudience } from '../releases/audience'
import { findNewestVersion } from '../releases/listing'
import type { ProjectRecord } from '../../data/records/project-records'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

const VISITOR = { kind: 'visitor' } as const

/** The parts of a project that other sites show. */
export interface Face {
  record: ProjectRecord
  /** The project as visitors see it. */
  project: Project
  /**
   * Version of the newest release with files; stable releases come first. Null if there is none.
   */
  version: string | null
}

/** Finds what visitors may see of a project. Throws `not_found`. */
export function findFace(deps: Deps, idOrSlug: string): Face {
  const { project: record } = publicAudience(deps, VISITOR, idOrSlug)
  const project = presentListedProject(deps, record, VISITOR)
  return {
    record,
    project,
    version: findNewestVersion(deps, record) ?? project.downloads[0]?.version ?? null,
  }
}
