import type { Project } from '../../../../server/contract'
import { listPages } from '../../../../server/contract/routes'
import { paths } from '../../../paths'

const tabs = listPages('project')

/** The tabs of a project; `id`: the id or slug of the address, `pathname`: the open page. */
export const listTabs = ({ downloads, can }: Project, id: string, pathname: string) =>
  tabs.map(({ name, label }) => ({
    to: paths[name](id),
    text: name === 'projectSettings' && !can.includes('update') ? 'Details' : label,
    hasOpenPage: name !== 'project' && pathname.startsWith(`${paths[name](id)}/`),
    ...(name === 'project' ? { count: downloads.length } : {}),
  }))
