import type { Project } from '../../../../server/contract'
import { LOCALE } from '../../../../server/texts/format'

export const kinds = ['all', 'public', 'private', 'shared'] as const
export type Kind = (typeof kinds)[number]
export const sortings = ['newest', 'name', 'downloads'] as const
export type Sorting = (typeof sortings)[number]
export const groupings = ['none', 'visibility', 'role'] as const
export type Grouping = (typeof groupings)[number]

const isKind: Record<Kind, (project: Project) => boolean> = {
  all: () => true,
  public: ({ is_public }) => is_public,
  private: ({ is_public }) => !is_public,
  shared: ({ role }) => role !== 'owner',
}
const names = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' })
/** The host answers newest first. */
const sorted: Record<Sorting, (projects: Project[]) => Project[]> = {
  newest: (projects) => projects,
  name: (projects) => projects.toSorted((a, b) => names.compare(a.title, b.title)),
  downloads: (projects) =>
    projects.toSorted((a, b) => b.stats.total_downloads - a.stats.total_downloads),
}

/** The groups in their order. */
const groupsOf: Record<Grouping, readonly { title: string; has: (project: Project) => boolean }[]> =
  {
    none: [{ title: '', has: isKind.all }],
    visibility: [
      { title: 'Public', has: isKind.public },
      { title: 'Private', has: isKind.private },
    ],
    role: [
      { title: 'Your projects', has: (project) => !isKind.shared(project) },
      { title: 'Shared with you', has: isKind.shared },
    ],
  }

/**
 * Projects under the titles of their groups, without empty ones. Not grouped: one group without a
 * title.
 */
export const groupProjects = (projects: readonly Project[], group: Grouping) =>
  groupsOf[group]
    .map(({ title, has }) => ({ title, projects: projects.filter(has) }))
    .filter((each) => each.projects.length > 0)

/** The projects of a kind with the text in their title or summary, in the given order. */
export function chooseProjects(
  projects: readonly Project[],
  { search, kind, sort }: { search: string; kind: Kind; sort: Sorting },
): Project[] {
  const term = search.trim().toLowerCase()
  const hasTerm = ({ title, summary }: Project) =>
    [title, summary].some((text) => text.toLowerCase().includes(term))
  return sorted[sort](projects.filter((project) => isKind[kind](project) && hasTerm(project)))
}
