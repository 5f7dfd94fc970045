import { calls } from '../server/contract/calls'
import { routes } from '../server/contract/routes'
import { address } from './lib/client/api-client'

type Values<Route extends string> = Route extends `${string}:${string}/${infer Rest}`
  ? [value: string, ...Values<Rest>]
  : Route extends `${string}:${string}`
    ? [value: string]
    : []
type Path<Route extends string> =
  Values<Route> extends [] ? Route : (...values: Values<Route>) => string

/** A path, or for a page with parameters the function that takes them in their order. */
const pathOf = (route: string) =>
  route.includes(':')
    ? (...values: string[]) =>
        route.replace(/:\w+/g, () => encodeURIComponent(values.shift() ?? ''))
    : route

const pagePaths = Object.fromEntries(
  Object.entries(routes).map(([name, route]) => [name, pathOf(route)]),
) as { [Name in keyof typeof routes]: Path<(typeof routes)[Name]> }

/** The addresses of the pages. */
export const paths = {
  ...pagePaths,
  /** The tab of the files; what is added there joins the release. */
  addToRelease: (id: string, version: string) =>
    `${paths.project(id)}?version=${encodeURIComponent(version)}`,
  /** The reports of a project that match. */
  reportsWith: (id: string, filter: Record<string, string>) =>
    `${paths.projectReports(id)}?${new URLSearchParams(filter)}`,
  openapi: '/openapi.json',
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
  account: () => address(calls.exports.account, {}).url,
  projectExport: (id: string) => address(calls.exports.project, { id }).url,
  report: (id: string, reportId: string, attachmentId: string) =>
    address(calls.reports.file, { id, reportId, attachmentId }).url,
  reports: (id: string, filter: object) => address(calls.reports.csv, { id, ...filter }).url,
  devices: (id: string, unconfirmed?: 'true') =>
    address(calls.devices.list, { id, unconfirmed }).url,
  checksums: (projectId: string) => address(calls.projects.checksums, { id: projectId }).url,
  wholeProject: (id: string) => address(calls.projects.downloadAll, { id }).url,
} as const
