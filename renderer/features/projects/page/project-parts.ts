import type { Project } from '../../../../server/contract'
import { paths } from '../../../paths'

/** The parts of a project, each with an address of its own; `id`: what names the project there, its id or its slug. */
export const partsOf = ({ downloads, can }: Project, id: string) => [
  { to: paths.project(id), text: 'Files', count: downloads.length },
  { to: paths.projectUpdates(id), text: 'Updates' },
  { to: paths.projectStatistics(id), text: 'Statistics' },
  { to: paths.projectPeople(id), text: 'People' },
  { to: paths.projectSettings(id), text: can.includes('update') ? 'Settings' : 'Details' },
]
