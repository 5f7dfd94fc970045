import type { Plugin } from 'vite'
import { routes } from '../../server/contract/routes.ts'

const START = 'renderer/start.tsx'
const tab = (name: string) => ['projects/page/project-page', name]

/** The modules that a page of the app begins with, below `renderer/features`. */
const firstModules: Record<string, readonly string[]> = {
  [routes.dashboard]: ['dashboard/dashboard-page'],
  [routes.projects]: ['projects/projects-page'],
  [routes.myFiles]: ['files/my-files-page'],
  [routes.builds]: ['builds/builds-page'],
  [routes.apiKeys]: ['api-keys/api-keys-page'],
  [routes.account]: ['accounts/account-page', 'exports/account-exports'],
  [routes.trash]: ['trash/trash-page'],
  [routes.host]: ['host/host-frame', 'host/host-page'],
  [routes.hostSettings]: ['host/host-frame', 'host/host-settings-page'],
  [routes.hostData]: ['host/host-frame', 'data-folder/data-page'],
  [routes.people]: ['host/host-frame', 'people/people-page'],
  [routes.audit]: ['host/host-frame', 'audit/audit-page'],
  [routes.project]: tab('project-files/project-files-page'),
  [routes.projectReleases]: tab('releases/releases-page'),
  [routes.projectUpdates]: tab('posts/project-updates-page'),
  [routes.projectStatistics]: tab('projects/statistics/project-statistics-page'),
  [routes.projectPeople]: tab('collaborators/project-people-page'),
  [routes.projectSettings]: tab('projects/page/project-settings-page'),
}

/** The ends of the paths of these modules; `''`: those of every page. */
export const firstViews: Record<string, readonly string[]> = {
  '': [START],
  ...Object.fromEntries(
    Object.entries(firstModules).map(([route, modules]) => [
      route,
      modules.map((module) => `renderer/features/${module}.tsx`),
    ]),
  ),
}

/** What the kit opens above a page: too large for a page that begins without it. */
const FLOATING = new RegExp(
  String.raw`import\s*\{[^}]*\b(Autocomplete|Combobox|Drawer|HoverCard|Menu|Modal|Popover|` +
    String.raw`ScrollArea|Select|TagsInput|Tooltip)\b[^}]*\}\s*from\s*["']@mantine\/core`,
)

/** How many first views need a module of our own: all that they import, but what loads later. */
const counts = new Map<string, number>()
/** Modules that import something floating, also through others. */
const heavy = new Set<string>()

/** Counts the first views of each module, before the modules become files. */
export const countFirstViews: Plugin = {
  name: 'count-first-views',
  apply: 'build',
  buildEnd() {
    // A package imports itself whole in one of its modules, whatever is used of it.
    const ids = [...this.getModuleIds()].filter((id) => !id.includes('node_modules'))
    const own = new Set(ids)

    const follow = (id: string, found: Set<string>) => {
      if (found.has(id) || !own.has(id)) return
      found.add(id)
      this.getModuleInfo(id)?.importedIds.forEach((next) => follow(next, found))
    }

    for (const ends of Object.values(firstViews)) {
      const found = new Set<string>()
      for (const id of ids) if (ends.some((end) => id.endsWith(end))) follow(id, found)
      for (const id of found) counts.set(id, (counts.get(id) ?? 0) + 1)
    }

    for (const id of ids) {
      const found = new Set<string>()
      follow(id, found)
      if ([...found].some((next) => FLOATING.test(this.getModuleInfo(next)?.code ?? '')))
        heavy.add(id)
    }
  },
}

/** Whether many first views need a module, so that they share it in one file. */
export const isOfMany = (id: string): boolean => (counts.get(id) ?? 0) > 5 && !heavy.has(id)

/** Whether a first view needs a module, and begins without what floats. */
export const isFirst = (id: string): boolean => counts.has(id) && !heavy.has(id)
