import { useSearchParams } from 'react-router-dom'

type ListState<Name extends string> = Record<Name, string> & { page: number }

/**
 * The state of a list (search, filters, page) in the address, so that reloads, bookmarks and the back button work.
 * Omits defaults. A change of anything else opens the first page.
 */
export function useListAddress<Name extends string = never>(usual: Record<Name, string>) {
  const [params, setParams] = useSearchParams()
  const names = Object.keys(usual) as Name[]
  const texts = names.map((name) => [name, params.get(name) ?? usual[name]] as const)
  const listState = { ...Object.fromEntries(texts), page: pageOf(params.get('page')) } as ListState<Name>

  const change = (news: Partial<ListState<Name>>) => {
    const next: Record<string, string | number> = { ...listState, page: 1, ...news }
    const isUsual = (name: string) => next[name] === (name === 'page' ? 1 : usual[name as Name])
    const entries = Object.entries(next).filter(([name]) => !isUsual(name))
    setParams(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])), { replace: true })
  }
  return { listState, change }
}

const pageOf = (typed: string | null): number => (typed !== null && /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : 1)
