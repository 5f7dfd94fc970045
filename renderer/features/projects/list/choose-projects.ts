import type { Project } from '../../../../server/contract'
import { LOCALE } from '../../../../server/texts/format'

export const kinds = ['all', 'public', 'private', 'shared'] as const
export type Kind = (typeof kinds)[number]
export const sortings = ['newest', 'name', 'downloads'] as const
export type Sorting = (typeof sortings)[number]

const isKind: Record<Kind, (project: Project) => boolean> = {
  all: () => true,
  public: ({ is_public }) => is_public,
  private: ({ is_public }) => !is_public,
  shared: ({ role }) => role === 'collaborator',
}
const names = new Intl.Collator(LOCALE, { numeric: true, sensitivity: 'base' })
/** The host answers newest first. */
const sorted: Record<Sorting, (projects: Project[]) => Project[]> = {
  newest: (projects) => projects,
  name: (projects) => projects.toSorted((a, b) => names.compare(a.title, b.title)),
  downloads: (projects) => projects.toSorted((a, b) => b.stats.total_downloads - a.stats.total_downloads),
}

/** The projects of a kind with the text in their title or summary, in the given order. */
export function chooseProjects(
  projects: readonly Project[],
  { search, kind, sort }: { search: string; kind: Kind; sort: Sorting },
): Project[] {
  const term = search.trim().toLowerCase()
  const hasTerm = ({ title, summary }: Project) => [title, summary].some((text) => text.toLowerCase().includes(term))
  return sorted[sort](projects.filter((project) => isKind[kind](project) && hasTerm(project)))
}
