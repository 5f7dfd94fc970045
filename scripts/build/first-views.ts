import { posix } from 'node:path'
import type { Plugin } from 'vite'
import { routes } from '../../server/contract/routes.ts'

const START = 'renderer/start.tsx'
const tab = (name: string) => ['projects/page/project-page', name]

/** The modules that a page of the app begins with, below `renderer/features`. */
const firstModules: Record<string, readonly string[]> = {
  // What a visitor does not need must not come along with what the app needs in these pages.
  [routes.publicProject]: [
    'public-project/public-project-page',
    'posts/project-posts',
    '../ui/feedback/message-place',
  ],
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
  [routes.projectUpdates]: [...tab('posts/project-updates-page'), 'posts/project-posts'],
  [routes.projectStatistics]: tab('projects/statistics/project-statistics-page'),
  [routes.projectReports]: tab('reports/reports-page'),
  [routes.projectPeople]: tab('collaborators/project-people-page'),
  [routes.projectSettings]: tab('projects/page/project-settings-page'),
}

/** The ends of the paths of these modules; `''`: those of every page. */
export const firstViews: Record<string, readonly string[]> = {
  '': [START],
  ...Object.fromEntries(
    Object.entries(firstModules).map(([route, modules]) => [
      route,
      modules.map((module) => posix.join('renderer/features', `${module}.tsx`)),
    ]),
  ),
}

/**
 * What a further file costs a page, in bytes of source: a round of the browser. Chosen by the
 * limits of `npm run lighthouse`: less is more files, and more is more bytes.
 */
const FILE_COST = 4300
/** The most files for parts that several pages begin with. */
export const MOST_SHARED = 36

/** Packages whose index imports all of them: what a module uses of them is found by its names. */
const BY_NAME = /node_modules[\\/](@mantine[\\/](?:core|hooks)|@tabler[\\/]icons-react)[\\/]/
const NAMED_IMPORTS =
  /import\s*\{([^}]*)\}\s*from\s*["'](?:@mantine\/(?:core|hooks)|@tabler\/icons-react)["']/g

/** Parts of other rooms can be in a file that loads later, which a page would then begin with. */
const OF_FEATURES = /[\\/]renderer[\\/]features[\\/]/

/** Large, and of use to few of the pages that have forms. */
const APART = /[\\/]components[\\/]Textarea[\\/]/

/** Modules that several first views need, and those views. */
interface Shared {
  views: ReadonlySet<string>
  ids: readonly string[]
  /** These modules and all that they import: what a page loads with the file. */
  loaded: ReadonlySet<string>
}

let first: ReadonlySet<string> = new Set()
let files: readonly Shared[] = []

/**
 * Finds what first views share, before the modules become files: modules of the same views share a
 * file, and so do those of similar views, where another file costs more than the bytes that a page
 * loads in vain.
 */
export const countFirstViews: Plugin = {
  name: 'count-first-views',
  apply: 'build',
  buildEnd() {
    const ids = [...this.getModuleIds()]
    const named = new Map(
      ids.filter((id) => BY_NAME.test(id)).map((id) => [/([^\\/]+)\.mjs$/.exec(id)?.[1] ?? '', id]),
    )
    const findNamed = (name: string) => named.get(name) ?? named.get(kebab(name))

    const importedBy = (id: string): string[] => {
      const { importedIds = [], code } = this.getModuleInfo(id) ?? {}
      const direct = importedIds.filter((next) => !(BY_NAME.test(next) && isIndex(next)))
      const names = [...(code ?? '').matchAll(NAMED_IMPORTS)].flatMap(([, list = '']) =>
        list.split(',').map((name) => name.trim().split(' as ')[0] ?? ''),
      )
      return [...direct, ...names.flatMap((name) => findNamed(name) ?? [])]
    }

    const follow = (id: string, found: Set<string>) => {
      if (found.has(id)) return
      found.add(id)
      for (const next of importedBy(id)) follow(next, found)
    }

    const viewsOf = new Map<string, Set<string>>()
    for (const [view, ends] of Object.entries(firstViews)) {
      const found = new Set<string>()
      for (const id of ids) if (ends.some((end) => id.endsWith(end))) follow(id, found)
      for (const id of found) viewsOf.set(id, (viewsOf.get(id) ?? new Set()).add(view))
    }

    first = new Set(viewsOf.keys())
    const sizes = new Map([...first].map((id) => [id, this.getModuleInfo(id)?.code?.length ?? 0]))
    const loadedWith = (id: string) => {
      const loaded = new Set<string>()
      follow(id, loaded)
      return loaded
    }
    /** What a view loads in vain with these modules, in bytes of source. */
    const countVain = (loaded: ReadonlySet<string>, view: string) =>
      [...loaded]
        .filter((id) => !viewsOf.get(id)?.has(view) && !viewsOf.get(id)?.has(''))
        .reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
    const [most, ...others] = mergeSimilar(groupByViews(viewsOf, loadedWith), countVain)
    // A style sheet would be a file more for each of them.
    const styles = [...first].filter((id) => id.endsWith('.module.css'))
    files = most ? [{ ...most, ids: [...most.ids, ...styles] }, ...others] : []
  },
}

const isIndex = (id: string) => /[\\/](index|tabler-icons-react)\.mjs$/.test(id)

/** `useMediaQuery` is in `use-media-query`. */
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function groupByViews(
  viewsOf: ReadonlyMap<string, ReadonlySet<string>>,
  loadedWith: (id: string) => ReadonlySet<string>,
): Shared[] {
  const groups = new Map<string, Shared>()
  for (const [id, views] of viewsOf) {
    // What all begin with is in the files of the start, and the rest in that of the page.
    if (views.has('') || id.endsWith('.module.css')) continue
    if ((views.size < 2 && OF_FEATURES.test(id)) || APART.test(id)) continue
    const group = { views, ids: [id], loaded: loadedWith(id) }
    const key = [...views].sort().join()
    const earlier = groups.get(key)
    groups.set(key, earlier ? join(earlier, group) : group)
  }
  return [...groups.values()]
}

type CountVain = (loaded: ReadonlySet<string>, view: string) => number

/** The file for most pages comes first, so that it has what the others import. */
function mergeSimilar(groups: readonly Shared[], countVain: CountVain): Shared[] {
  let merged = [...groups]
  const vain = new Map<Shared, Map<string, number>>()
  const vainOf = (group: Shared, view: string) => {
    const counts = vain.get(group) ?? new Map<string, number>()
    vain.set(group, counts)
    const count = counts.get(view) ?? countVain(group.loaded, view)
    counts.set(view, count)
    return count
  }

  for (;;) {
    const [best] = pairsOf(merged)
      .map(([one, other]) => ({ one, other, saved: savedBy(one, other, vainOf) }))
      .sort((a, b) => b.saved - a.saved)
    if (!best || (best.saved <= 0 && merged.length <= MOST_SHARED)) break
    const { one, other } = best
    merged = merged.filter((group) => group !== one && group !== other)
    merged.push(join(one, other))
  }
  return merged.sort((a, b) => b.views.size - a.views.size)
}

const pairsOf = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]))

const join = (one: Shared, other: Shared): Shared => ({
  views: new Set([...one.views, ...other.views]),
  ids: [...one.ids, ...other.ids],
  loaded: new Set([...one.loaded, ...other.loaded]),
})

/** What all pages together save if two groups become one file. */
function savedBy(
  one: Shared,
  other: Shared,
  vainOf: (group: Shared, view: string) => number,
): number {
  const both = [...one.views].filter((view) => other.views.has(view)).length
  const inVain = (group: Shared, views: ReadonlySet<string>) =>
    [...views]
      .filter((view) => !group.views.has(view))
      .reduce((sum, view) => sum + vainOf(group, view), 0)
  return both * FILE_COST - inVain(one, other.views) - inVain(other, one.views)
}

/** Whether a module belongs into the file of this number, of those that first views share. */
export const isShared = (id: string, file: number): boolean =>
  files[file]?.ids.includes(id) === true

/** Whether a first view needs a module. */
export const isFirst = (id: string): boolean => first.has(id)
