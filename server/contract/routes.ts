/** The pages, as React Router writes their paths. Any other path answers 404. */
export const routes = {
  landing: '/',
  login: '/login',
  register: '/register',
  dashboard: '/dashboard',
  myFiles: '/my-files',
  builds: '/apk-builds',
  trash: '/trash',
  apiKeys: '/api-keys',
  pair: '/pair',
  manage: '/manage',
  host: '/host',
  people: '/host/people',
  audit: '/host/audit',
  hostData: '/host/data',
  hostSettings: '/host/settings',
  projects: '/projects',
  project: '/projects/:id',
  projectReleases: '/projects/:id/releases',
  projectUpdates: '/projects/:id/updates',
  projectStatistics: '/projects/:id/statistics',
  projectPeople: '/projects/:id/people',
  projectSettings: '/projects/:id/settings',
  publicFiles: '/public-files',
  browse: '/browse',
  docs: '/docs',
  publicProject: '/p/:slug',
  publicReleases: '/p/:slug/releases',
  publicRelease: '/p/:slug/releases/:version',
  /** Always a page of the server. */
  install: '/p/:slug/install',
} as const
type Route = (typeof routes)[keyof typeof routes]

type Parameters<Of extends string> = Of extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Of extends `${string}:${infer Name}`
    ? Name
    : never

const patterns = new Map<string, RegExp>()
for (const route of Object.values(routes)) {
  patterns.set(
    route,
    new RegExp(`^${route.replace(/\/$/, '').replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`),
  )
}

/** The parameters of a path, still percent-encoded; undefined: it is not of this route. */
export const matchRoute = <Of extends Route>(
  route: Of,
  path: string,
): Record<Parameters<Of>, string> | undefined => {
  const match = patterns.get(route)?.exec(path)
  return match ? ({ ...match.groups } as Record<Parameters<Of>, string>) : undefined
}

export const isPagePath = (path: string): boolean =>
  [...patterns.values()].some((pattern) => pattern.test(path))

/** The path of a page with these parameters. */
export const fillRoute = <Of extends Route>(
  route: Of,
  parameters: Record<Parameters<Of>, string>,
): string =>
  route.replace(/:(\w+)/g, (_, name: Parameters<Of>) => encodeURIComponent(parameters[name]))
