import { startTransition, useOptimistic } from 'react'
import { useSearchParams } from 'react-router-dom'

type ListState<Name extends string> = Record<Name, string> & { page: number }

/**
 * The state of a list (search, filters, page) in the address, so that reloads, bookmarks and the
 * back button work. Omits defaults. A change of anything else opens the first page.
 */
export function useListAddress<Name extends string = never>(usual: Record<Name, string>) {
  const [params, setParams] = useSearchParams()

  const names = Object.keys(usual) as Name[]
  const texts = names.map((name) => [name, params.get(name) ?? usual[name]] as const)
  const address = {
    ...Object.fromEntries(texts),
    page: pageOf(params.get('page')),
  } as ListState<Name>

  // The router updates in a transition. Until then a field would lose typed text.
  const [listState, expect] = useOptimistic(address)

  const change = (news: Partial<ListState<Name>>) => {
    const next = { ...listState, page: 1, ...news }
    const isUsual = (name: string, value: unknown) =>
      value === (name === 'page' ? 1 : usual[name as Name])
    const entries = Object.entries(next).filter(([name, value]) => !isUsual(name, value))
    startTransition(() => {
      expect(next)
      setParams(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])), {
        replace: true,
      })
    })
  }

  return { listState, change }
}

const pageOf = (typed: string | null): number =>
  typed !== null && /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : 1
