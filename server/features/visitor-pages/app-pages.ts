import { api, type Project } from '../../contract'
import { describePage, listPages, matchRoute, routes } from '../../contract/routes'

/** What a page of the app shows first, and the calls that it begins with. */
export interface AppPage {
  /** By which the build names the scripts of the page. */
  route: string
  /** Undefined: the reply of a call names it. */
  heading?: string | undefined
  text?: string | undefined
  tabs?: { text: string; path: string; count?: number }[] | undefined
  /** Addresses exactly as the client sends them. */
  calls: readonly string[]
}

const FIRST_PROJECTS = `${api.projects.mine.path}?offset=0`
const firstPage = (path: string) => `${path}?limit=50&offset=0`

/** The calls of the pages that are named in the menu or the palette. */
const firstCalls = {
  projects: [FIRST_PROJECTS],
  myFiles: [
    `${api.files.mine.path}?visibility=all&sort=newest&limit=50&offset=0`,
    api.fileRequests.list.path,
    api.storage.stats.path,
  ],
  builds: [firstPage(api.builds.applications.path), api.builds.stats.path],
  apiKeys: [api.apiKeys.list.path, FIRST_PROJECTS],
  account: [api.factors.show.path, api.accounts.sessions.path, api.exports.summary.path],
  trash: [firstPage(api.trash.list.path)],
} as const

const listed = new Map<string, Omit<AppPage, 'route'>>(
  Object.entries(firstCalls).map(([key, calls]) => {
    const name = key as keyof typeof firstCalls
    const { title: heading, description: text } = describePage(name)
    return [routes[name], { heading, text, calls }]
  }),
)

const hostTabs = [
  { text: 'Overview', path: routes.host, about: 'How other devices reach this host' },
  ...listPages('host').map(({ label, path, about }) => ({ text: label, path, about })),
]

/** What the pages of the host begin with. */
const hostCalls: Record<string, readonly string[]> = {
  [routes.host]: [api.activity.now.path, api.host.addresses.path, api.internet.show.path],
  [routes.people]: [`${api.people.list.path}?offset=0`, api.invites.list.path],
  [routes.audit]: [`${api.people.list.path}?offset=0`, `${api.audit.list.path}?limit=50`],
  [routes.hostData]: [api.backups.show.path, api.dataFolder.show.path],
  [routes.hostSettings]: [api.settings.show.path],
}

const projectTabs = listPages('project')

/** The page of the app at an address; undefined for pages that a visitor opens, too. */
export function findAppPage(
  path: string,
  user: { username: string; email: string },
): AppPage | undefined {
  const page = listed.get(path)
  if (page) return { route: path, ...page }

  if (path === routes.dashboard) {
    return {
      route: path,
      heading: `Welcome, ${user.username}`,
      text: user.email,
      calls: [
        FIRST_PROJECTS,
        `${api.files.mine.path}?limit=5`,
        ...[api.projects.news.path, api.storage.stats.path, api.apiKeys.list.path],
      ],
    }
  }

  const tab = hostTabs.find((candidate) => candidate.path === path)
  if (tab) {
    return {
      route: path,
      heading: 'Host',
      text: tab.about,
      tabs: hostTabs,
      calls: hostCalls[path] ?? [],
    }
  }

  for (const { name } of projectTabs) {
    const route = routes[name]
    const id = matchRoute(route, path)?.id
    if (id === undefined) continue
    const tabs = projectTabs.map((one) => ({ text: one.label, path: one.path.replace(':id', id) }))
    return { route, tabs, calls: [api.projects.byId.path.replace(':id', id)] }
  }

  return undefined
}

/** Fills in what only the replies tell: the project, or whether a person manages the host. */
export function withProject(
  { heading, text, tabs, calls }: AppPage,
  replies: readonly (readonly [address: string, reply: string])[],
): Pick<AppPage, 'heading' | 'text' | 'tabs'> {
  const find = (path: string | undefined) => replies.find(([address]) => address === path)?.[1]
  const manages = find(api.accounts.me.path)?.includes('"manages_host":true')
  if (tabs === hostTabs && manages !== true) return {}
  if (heading !== undefined) return { heading, text, tabs }

  const reply = find(calls[0])
  if (reply === undefined) return {}
  const { project } = JSON.parse(reply) as { project: Project }
  const isOwn = project.can.includes('update')
  return {
    heading: project.title,
    tabs: tabs?.map((tab, index) => {
      if (index === 0) return { ...tab, count: project.downloads.length }
      return tab.text === 'Settings' && !isOwn ? { ...tab, text: 'Details' } : tab
    }),
  }
}
