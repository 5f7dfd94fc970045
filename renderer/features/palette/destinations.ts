import type { SearchResults } from '../../../server/contract'
import { listPages } from '../../../server/contract/routes'
import { paths } from '../../paths'
import type { Destination } from './recent'

const everyPage = listPages('menu', 'palette', 'host')

export const pagesFor = (managesHost: boolean): readonly Destination[] =>
  everyPage
    .filter(({ place, isForManagers = place === 'host' }) => managesHost || !isForManagers)
    .map(({ path, label, title = label }) => ({
      id: `page ${path}`,
      kind: 'page',
      label: title,
      path,
    }))

const visibility = (isPublic: boolean) => (isPublic ? 'Public' : 'Private')

export const projectOf = ({
  project_id,
  title,
  owner,
  is_public,
}: SearchResults['projects'][number]): Destination => ({
  id: `project ${project_id}`,
  kind: 'project',
  label: title,
  detail: `${visibility(is_public)} · ${owner}`,
  path: paths.project(project_id),
})

export const releaseOf = ({
  project_id,
  title,
  version,
  channel,
  state,
}: SearchResults['releases'][number]): Destination => ({
  id: `release ${project_id} ${version}`,
  kind: 'release',
  label: `${title} ${version}`,
  detail: state === 'published' ? channel : `${channel} · ${state}`,
  path: paths.projectReleases(project_id),
})

export const fileOf = ({
  file_id,
  filename,
  version,
  is_public,
}: SearchResults['files'][number]): Destination => ({
  id: `file ${file_id}`,
  kind: 'file',
  label: filename,
  detail: [version, visibility(is_public)].filter(Boolean).join(' · '),
  path: `${paths.myFiles}?search=${encodeURIComponent(filename)}`,
})

export const personOf = ({
  user_id,
  username,
  email,
}: SearchResults['people'][number]): Destination => ({
  id: `person ${user_id}`,
  kind: 'person',
  label: username,
  detail: email,
  path: `${paths.people}?search=${encodeURIComponent(username)}`,
})
