import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { LIST_PAGE_SIZE, type Project } from '../../../server/contract'
import type { Client } from '../../lib/api-client'
import { useClient } from '../../lib/client-context'
import { queryKeys } from '../../lib/query-keys'

/** Every public project, and those of them that a search finds. */
export function usePublicProjects(search: string) {
  const client = useClient()
  const loaded = useQuery({
    queryKey: queryKeys.projects.public(),
    queryFn: ({ signal }) => loadAll(client, signal),
  })
  const asked = useDeferredValue(search)
  const found = useMemo(() => loaded.data?.filter(matches(asked)), [loaded.data, asked])
  return { ...loaded, all: loaded.data, found }
}

/** The search runs here, so all pages of the list are needed. */
async function loadAll(client: Client, signal: AbortSignal): Promise<Project[]> {
  const all: Project[] = []
  for (let total = 1; all.length < total;) {
    const page = await client.projects.listPublic({ limit: LIST_PAGE_SIZE, offset: all.length }, signal)
    all.push(...page.projects)
    total = page.projects.length === 0 ? 0 : page.total
  }
  return all
}

/** Without regard to case, over title and short description. */
export function matches(search: string) {
  const wanted = search.trim().toLocaleLowerCase()
  return ({ title, short_description }: Pick<Project, 'title' | 'short_description'>) =>
    title.toLocaleLowerCase().includes(wanted) || short_description.toLocaleLowerCase().includes(wanted)
}
