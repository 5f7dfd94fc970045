import type { Project } from '../../../../server/contract'
import { paths } from '../../../paths'

/** The tabs of a project; `id`: the id or slug of the address. */
export const listTabs = ({ downloads, can }: Project, id: string) => [
  { to: paths.project(id), text: 'Files', count: downloads.length },
  { to: paths.projectReleases(id), text: 'Releases' },
  { to: paths.projectUpdates(id), text: 'Updates' },
  { to: paths.projectStatistics(id), text: 'Statistics' },
  { to: paths.projectPeople(id), text: 'People' },
  { to: paths.projectSettings(id), text: can.includes('update') ? 'Settings' : 'Details' },
]
