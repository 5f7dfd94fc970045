import { useSearchParams } from 'react-router-dom'

/** The first page is 1. */
type Shown<Name extends string> = Record<Name, string> & { page: number }

/**
 * What a list shows (its search, its filters, its page), kept in the address, so that a reload, a bookmark and the back
 * button show the same. What is as usual stays out of the address. A change of anything but the page opens the first page.
 */
export function useListAddress<Name extends string = never>(usual: Record<Name, string>) {
  const [params, setParams] = useSearchParams()
  const names = Object.keys(usual) as Name[]
  const texts = names.map((name) => [name, params.get(name) ?? usual[name]] as const)
  const shown = { ...Object.fromEntries(texts), page: pageOf(params.get('page')) } as Shown<Name>

  const change = (news: Partial<Shown<Name>>) => {
    const next: Record<string, string | number> = { ...shown, page: 1, ...news }
    const isUsual = (name: string) => next[name] === (name === 'page' ? 1 : usual[name as Name])
    const kept = Object.entries(next).filter(([name]) => !isUsual(name))
    setParams(Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), { replace: true })
  }
  return { shown, change }
}

/** What somebody has typed may be anything. */
const pageOf = (typed: string | null): number => (typed !== null && /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : 1)
