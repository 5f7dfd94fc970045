/** Where links to a page appear: the menu and the palette, the palette, or tabs. */
type Place = 'menu' | 'palette' | 'host' | 'project'

interface Page {
  /** As React Router writes it. */
  path: string
  place?: Place
  /** Text of its links. */
  label?: string
  /** Text of a link without context, as in the palette. Default: `label`. */
  title?: string
  /** One sentence about the page. */
  about?: string
  /** `g` and this letter open the page. */
  key?: string
  /** Shows the links to people who manage the host only, as for all tabs of the host. */
  isForManagers?: boolean
}

/** The pages, in the order of their links. Any other path answers 404. */
const pages = {
  landing: { path: '/' },
  login: { path: '/login' },
  /** Asks for a code or a passkey, after the password or in its place. */
  loginFactor: { path: '/login/factor' },
  /** Leads to the provider of single sign-on, which leads back to it. */
  loginSso: { path: '/login/sso' },
  register: { path: '/register' },
  /** Where links for a new password lead. */
  newPassword: { path: '/new-password' },
  /** Where a host that sends mail takes requests for such links. */
  forgotPassword: { path: '/forgot-password' },
  dashboard: { path: '/dashboard', place: 'menu', label: 'Dashboard', key: 'd' },
  projects: { path: '/projects', place: 'menu', label: 'Projects', key: 'p' },
  myFiles: { path: '/my-files', place: 'menu', label: 'My Files', key: 'f' },
  builds: { path: '/apk-builds', place: 'menu', label: 'Builds', key: 'b' },
  apiKeys: {
    path: '/api-keys',
    place: 'menu',
    label: 'API Keys',
    key: 'k',
    about: 'Let scripts and CI jobs upload for you, without your password.',
  },
  account: {
    path: '/account',
    place: 'palette',
    label: 'Account',
    about: 'Your name and password, and where you are signed in.',
  },
  trash: { path: '/trash', place: 'palette', label: 'Trash' },
  browse: { path: '/browse', place: 'menu', label: 'Browse' },
  publicFiles: { path: '/public-files', place: 'palette', label: 'Public files' },
  docs: { path: '/docs', place: 'menu', label: 'API Docs' },
  /** The calls of one group. */
  docsGroup: { path: '/docs/:group' },
  /** Always pages of the server, as `install`. */
  guide: { path: '/guide' },
  guidePage: { path: '/guide/:page' },
  pair: { path: '/pair' },
  manage: { path: '/manage' },
  host: { path: '/host', place: 'menu', label: 'Host', isForManagers: true },
  people: {
    path: '/host/people',
    place: 'host',
    label: 'People',
    about: 'The accounts on this host and their storage',
  },
  audit: {
    path: '/host/audit',
    place: 'host',
    label: 'Audit log',
    about: 'Who did what on this host, and from where, in the last 90 days',
  },
  hostData: {
    path: '/host/data',
    place: 'host',
    label: 'Data',
    title: 'Data and backups',
    about: 'Where this host stores its data and backups',
  },
  hostSettings: {
    path: '/host/settings',
    place: 'host',
    label: 'Settings',
    title: 'Host settings',
    about: 'Changes apply when you save them.',
  },
  hostBucket: {
    path: '/host/bucket',
    place: 'palette',
    label: 'Bucket',
    isForManagers: true,
  },
  project: { path: '/projects/:id', place: 'project', label: 'Files' },
  projectReleases: { path: '/projects/:id/releases', place: 'project', label: 'Releases' },
  projectUpdates: { path: '/projects/:id/updates', place: 'project', label: 'News' },
  projectStatistics: { path: '/projects/:id/statistics', place: 'project', label: 'Statistics' },
  projectReports: { path: '/projects/:id/reports', place: 'project', label: 'Reports' },
  projectReport: { path: '/projects/:id/reports/:reportId' },
  projectPeople: { path: '/projects/:id/people', place: 'project', label: 'Team' },
  projectSettings: { path: '/projects/:id/settings', place: 'project', label: 'Settings' },
  publicProject: { path: '/p/:slug' },
  publicReleases: { path: '/p/:slug/releases' },
  publicRelease: { path: '/p/:slug/releases/:version' },
  /** Always a page of the server. */
  install: { path: '/p/:slug/install' },
  /** The same. */
  report: { path: '/p/:slug/report' },
  /** The same. */
  access: { path: '/p/:slug/access' },
} as const satisfies Record<string, Page>
type Pages = typeof pages

/** The paths of the pages, as React Router writes them. */
export const routes = Object.fromEntries(
  Object.entries(pages).map(([name, { path }]) => [name, path]),
) as { [Name in keyof Pages]: Pages[Name]['path'] }

/** The names of the pages with links at a place. */
export type PageAt<At extends Place> = {
  [Name in keyof Pages]: Pages[Name] extends { place: At } ? Name : never
}[keyof Pages]

/** The pages with links at these places, in their order. */
export const listPages = <At extends Place>(...places: At[]) =>
  (Object.entries(pages) as [PageAt<At>, Page][]).flatMap(([name, { label, ...page }]) =>
    places.some((place) => place === page.place) && label !== undefined
      ? [{ ...page, name, label }]
      : [],
  )

/** The heading of a page, and one sentence about it where the heading says too little. */
export function describePage(name: PageAt<'menu' | 'palette'>): {
  title: string
  description?: string
} {
  const { label: title, about: description }: Page & { label: string } = pages[name]
  return { title, ...(description !== undefined && { description }) }
}

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

/** Whether the server writes the page, also for signed-in users and the app window. */
export const isServerPath = (path: string): boolean =>
  [routes.install, routes.report, routes.access, routes.guide, routes.guidePage].some((route) =>
    matchRoute(route, path),
  )

export const isPagePath = (path: string): boolean =>
  [...patterns.values()].some((pattern) => pattern.test(path))

/** The path of a page with these parameters. */
export const fillRoute = <Of extends Route>(
  route: Of,
  parameters: Record<Parameters<Of>, string>,
): string =>
  route.replace(/:(\w+)/g, (_, name: Parameters<Of>) => encodeURIComponent(parameters[name]))

/** Suffix of every page title. */
export const BRAND = 'Slipway'
export const DEFAULT_TITLE = 'Secure file sharing and app distribution platform'
export const DEFAULT_DESCRIPTION =
  'Slipway is a secure file sharing and app distribution platform that runs on a computer you ' +
  'own: free, open source and self-hosted.'

export const KEYWORDS =
  'file sharing, app distribution, APK, IPA, builds, downloads, self-hosted, open source'

/** Of the button in My Files that chooses files: links from pages without scripts lead to it. */
export const CHOOSE_FILES = 'choose-files'

/** Appends the brand to a title, once. */
export const withBrand = (title: string): string =>
  title.endsWith(BRAND) ? title : `${title} · ${BRAND}`
