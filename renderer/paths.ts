import { api } from '../server/contract'
import { address } from './lib/client/api-client'

export const paths = {
  landing: '/',
  login: '/login',
  register: '/register',
  dashboard: '/dashboard',
  myFiles: '/my-files',
  builds: '/apk-builds',
  trash: '/trash',
  apiKeys: '/api-keys',
  projects: '/projects',
  project: (id: string) => `/projects/${encodeURIComponent(id)}`,
  /** The tab of the files; what is added there joins the release. */
  addToRelease: (id: string, version: string) => `${paths.project(id)}?version=${encodeURIComponent(version)}`,
  projectReleases: (id: string) => `${paths.project(id)}/releases`,
  projectUpdates: (id: string) => `${paths.project(id)}/updates`,
  projectStatistics: (id: string) => `${paths.project(id)}/statistics`,
  projectPeople: (id: string) => `${paths.project(id)}/people`,
  projectSettings: (id: string) => `${paths.project(id)}/settings`,
  publicFiles: '/public-files',
  browse: '/browse',
  docs: '/docs',
  openapi: '/openapi.json',
  manage: '/manage',
  pair: '/pair',
  host: '/host',
  people: '/host/people',
  audit: '/host/audit',
  hostData: '/host/data',
  hostSettings: '/host/settings',
  publicProject: (slugOrId: string) => `/p/${encodeURIComponent(slugOrId)}`,
  publicRelease: (slug: string, version: string) =>
    `${paths.publicProject(slug)}/releases/${encodeURIComponent(version)}`,
  /** The newest release of a channel, or its newest file for a platform. */
  latest: (slug: string, channel: string, platform?: string) =>
    `${paths.publicProject(slug)}/latest${platform === undefined ? '' : `/${platform.toLowerCase()}`}` +
    (channel === 'stable' ? '' : `?channel=${channel}`),
} as const

export const routes = {
  project: '/projects/:id',
  publicProject: '/p/:slug',
  publicRelease: '/p/:slug/releases/:version',
  publicReleases: '/p/:slug/releases',
  anything: '*',
} as const

export const downloadUrl = {
  file: (id: string) => address(api.files.download, { id }).url,
  publicFile: (username: string, fileId: string) =>
    address(api.files.downloadPublic, { username, file_id: fileId }).url,
  project: (projectId: string, fileId: string) =>
    address(api.projects.download, { id: projectId, downloadId: fileId }).url,
  build: (id: string) => address(api.builds.download, { id }).url,
  wholeProject: (id: string) => address(api.projects.downloadAll, { id }).url,
} as const

export const checksumsUrl = (projectId: string): string => address(api.projects.checksums, { id: projectId }).url
