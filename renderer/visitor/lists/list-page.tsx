import type { ReactNode } from 'react'
import { formatWhole } from '../../../server/texts/format'
import { Nothing } from '../parts/text'

interface ListPageProps {
  title: string
  description: string
  /** The address of the list. */
  path: string
  search: string
  /** The accessible name of the search field: 'Search projects'. */
  label: string
  /** '12 projects'; '' while it is unknown or none. */
  count: string
  /** In the app: searches while the person types. Without it, the form does. */
  onSearch?: (search: string) => void
  children: ReactNode
}

/** A public list with its search, for the server and the app. */
export const ListPage = ({ title, description, path, search, label, count, onSearch, children }: ListPageProps) => (
  <div className="list-page">
    <h1>{title}</h1>
    <p className="dimmed">{description}</p>
    <form className="search" role="search" action={path} onSubmit={onSearch && ((event) => event.preventDefault())}>
      <input
        type="search"
        name="q"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        {...(onSearch
          ? { value: search, onChange: ({ currentTarget }) => onSearch(currentTarget.value) }
          : { defaultValue: search })}
      />
      <span className="dimmed" role="status">
        {count}
      </span>
    </form>
    {children}
  </div>
)

interface NoMatchProps {
  path: string
  search: string
  /** 'No project matches'. */
  title: string
  text: string
}

/** Instead of the results of a search that found nothing. */
export const NoMatch = ({ path, search, title, text }: NoMatchProps) => (
  <div className="no-match">
    <Nothing title={`${title} “${search.trim()}”`} text={text} />
    <a className="button small quiet" href={path}>
      Clear search
    </a>
  </div>
)

interface PagesProps {
  path: string
  search: string
  /** From 1. */
  page: number
  pageSize: number
  total: number
}

/** '51–100 of 10,000' and the pages beside it; nothing for a single page. */
export function Pages({ path, search, page, pageSize, total }: PagesProps) {
  const last = Math.ceil(total / pageSize)
  if (last <= 1) return null
  const hrefOf = (other: number) => {
    const query = new URLSearchParams({
      ...(search !== '' && { q: search }),
      ...(other > 1 && { page: String(other) }),
    })
    return query.size === 0 ? path : `${path}?${query}`
  }
  const first = (page - 1) * pageSize + 1
  return (
    <nav className="pages" aria-label="Pages">
      {page > 1 ? (
        <a className="button small quiet" rel="prev" href={hrefOf(Math.min(page - 1, last))}>
          Previous
        </a>
      ) : (
        <span />
      )}
      <span className="dimmed">
        {first <= total
          ? `${formatWhole(first)}–${formatWhole(Math.min(page * pageSize, total))} of ${formatWhole(total)}`
          : `Page ${formatWhole(page)} of ${formatWhole(last)}`}
      </span>
      {page < last ? (
        <a className="button small quiet" rel="next" href={hrefOf(page + 1)}>
          Next
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
