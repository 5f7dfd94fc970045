import { calls } from '../server/contract/calls'
import { fillRoute, routes } from '../server/contract/routes'
import { address } from './lib/client/api-client'

/** The addresses of the pages. */
export const paths = {
  ...routes,
  project: (id: string) => fillRoute(routes.project, { id }),
  /** The tab of the files; what is added there joins the release. */
  addToRelease: (id: string, version: string) =>
    `${paths.project(id)}?version=${encodeURIComponent(version)}`,
  projectReleases: (id: string) => fillRoute(routes.projectReleases, { id }),
  projectUpdates: (id: string) => fillRoute(routes.projectUpdates, { id }),
  projectStatistics: (id: string) => fillRoute(routes.projectStatistics, { id }),
  projectPeople: (id: string) => fillRoute(routes.projectPeople, { id }),
  projectSettings: (id: string) => fillRoute(routes.projectSettings, { id }),
  openapi: '/openapi.json',
  publicProject: (slug: string) => fillRoute(routes.publicProject, { slug }),
  publicRelease: (slug: string, version: string) =>
    fillRoute(routes.publicRelease, { slug, version }),
  /** The newest release of a channel, or its newest file for a platform. */
  latest: (slug: string, channel: string, platform?: string) =>
    `${paths.publicProject(slug)}/latest` +
    (platform === undefined ? '' : `/${platform.toLowerCase()}`) +
    (channel === 'stable' ? '' : `?channel=${channel}`),
}

export const downloadUrl = {
  file: (id: string) => address(calls.files.download, { id }).url,
  publicFile: (username: string, fileId: string) =>
    address(calls.files.downloadPublic, { username, file_id: fileId }).url,
  project: (projectId: string, fileId: string) =>
    address(calls.projects.download, { id: projectId, downloadId: fileId }).url,
  build: (id: string) => address(calls.builds.download, { id }).url,
  wholeProject: (id: string) => address(calls.projects.downloadAll, { id }).url,
} as const

export const checksumsUrl = (projectId: string): string =>
  address(calls.projects.checksums, { id: projectId }).url
