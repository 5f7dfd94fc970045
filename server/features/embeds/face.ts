import type { Rooms } from '../../compose/context'
import type { Project } from '../../contract'
import { presentListedProject } from '../projects/presenter'
import { publicEntrance } from '../releases/entrance'
import { releasesFor } from '../releases/listing'
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
  const { project: record } = publicEntrance(deps, VISITOR, idOrSlug)
  const project = presentListedProject(deps, record, VISITOR)
  return { record, project, version: findVersion(deps, record) ?? project.downloads[0]?.version ?? null }
}

/** Finds the version of its newest release with files for visitors, stable before other channels. */
export function findVersion(deps: Rooms<'files' | 'projects'>, project: ProjectRecord): string | undefined {
  let newest: string | undefined
  for (const { release, files } of releasesFor(deps, project, VISITOR)) {
    if (files.length === 0) continue
    if (release.channel === 'stable') return release.version
    newest ??= release.version
  }
  return newest
}
