import type { ReactNode } from 'react'
import { formatWhole } from '../../../server/texts/format'
import { Nothing } from '../parts/text'

/**
 * The query of a list's address, without its page: `q` is the search text. Empty and default values
 * are left out.
 */
export type ListFields = Readonly<Record<string, string | undefined>> & { q: string }

const isSaid = ([, value]: [string, string | undefined]) =>
  value !== undefined && value !== '' && value !== 'newest'

/** The address of a list with these fields. */
export function listHref(
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams(Object.entries(fields).filter(isSaid) as [string, string][])
  return query.size === 0 ? path : `${path}?${query}`
}

interface ListPageProps {
  title: string
  description: string
  /** The address of the list. */
  path: string
  fields: ListFields
  /** The accessible name of the search field: 'Search projects'. */
  label: string
  /** '12 projects'; '' while it is unknown or none. */
  count: string
  /** In the app: searches while the person types. Without it, the form submits. */
  onSearch?: (search: string) => void
  /** Filters and orders below the search. */
  options?: ReactNode
  children: ReactNode
}

/** A public list with its search, for the server and the app. */
export const ListPage = ({
  title,
  description,
  path,
  fields,
  label,
  count,
  onSearch,
  options,
  children,
}: ListPageProps) => (
  <div className="list-page">
    <h1>{title}</h1>
    <p className="dimmed">{description}</p>
    <form
      className="search"
      role="search"
      action={path}
      onSubmit={onSearch && ((event) => event.preventDefault())}
    >
      <input
        type="search"
        name="q"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        {...(onSearch
          ? { value: fields.q, onChange: ({ currentTarget }) => onSearch(currentTarget.value) }
          : { defaultValue: fields.q })}
      />
      {Object.entries({ ...fields, q: '' })
        .filter(isSaid)
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <span className="dimmed" role="status">
        {count}
      </span>
    </form>
    {options}
    {children}
  </div>
)

interface NoMatchProps {
  path: string
  /** 'No project matches “rocket”'. */
  title: string
  text: string
  /** Text of the link to the whole list. */
  action?: string
}

/** Instead of the results of a search that found nothing. */
export const NoMatch = ({ path, title, text, action = 'Clear search' }: NoMatchProps) => (
  <div className="no-match">
    <Nothing title={title} text={text} />
    <a className="button small quiet" href={path}>
      {action}
    </a>
  </div>
)

interface PagesProps {
  path: string
  fields: ListFields
  /** From 1. */
  page: number
  pageSize: number
  total: number
}

/** '51–100 of 10,000' and the pages beside it; nothing for a single page. */
export function Pages({ path, fields, page, pageSize, total }: PagesProps) {
  const last = Math.ceil(total / pageSize)
  if (last <= 1) return null

  const hrefOf = (other: number) =>
    listHref(path, { ...fields, page: other > 1 ? String(other) : '' })
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
          ? `${formatWhole(first)}–${formatWhole(Math.min(page * pageSize, total))}` +
            ` of ${formatWhole(total)}`
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
