import type { Rooms } from '../../compose/context'
import type { Project } from '../../contract'
import { presentListedProject } from '../projects/presenter'
import { publicAudience } from '../releases/audience'
import { findNewestVersion } from '../releases/listing'
import type { ProjectRecord } from '../../data/records/project-records'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

const VISITOR = { kind: 'visitor' } as const

/** What other sites show of a project. */
export interface Face {
  record: ProjectRecord
  /** As visitors see it. */
  project: Project
  /** Of its newest release with files, stable before other channels; null: none has one. */
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
