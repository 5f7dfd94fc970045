import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { Disclosure } from '../../ui/layout/disclosure'
import { useCurrentSection } from '../../ui/layout/use-current-section'
import { SearchInput } from '../../ui/table/search-input'
import classes from './docs.module.css'
import { guideSections } from './guide'
import { callPath, groups, operations, type CallGroup } from './examples/operations'

interface ContentsProps {
  /** The group whose page is open. */
  group: CallGroup | undefined
}

/** The guide, the groups of calls and the calls of the open one; or the calls that a word finds. */
export function Contents({ group }: ContentsProps) {
  return (
    <>
      <nav className={classes.contents} aria-label="Contents">
        <FindableContents key={group?.anchor} group={group} />
      </nav>
      <div className={classes.foldedContents}>
        <Disclosure key={group?.anchor} label="Contents">
          <FindableContents group={group} />
        </Disclosure>
      </div>
    </>
  )
}

function FindableContents({ group }: ContentsProps) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()

  return (
    <>
      <SearchInput label="Find a call" value={search} onChange={setSearch} />
      {words === '' ? <ContentsList group={group} /> : <FoundCalls words={words} />}
    </>
  )
}

function FoundCalls({ words }: { words: string }) {
  const found = operations.filter(({ endpoint: { summary, path } }) =>
    `${summary} ${path}`.toLowerCase().includes(words),
  )
  if (found.length === 0) return <p className={classes.contentsNote}>No call has these words.</p>

  return (
    <ul className={classes.contentsList}>
      {found.map((operation) => (
        <Entry
          key={operation.anchor}
          to={callPath(operation)}
          title={operation.endpoint.summary}
          isCurrent={false}
        />
      ))}
    </ul>
  )
}

function ContentsList({ group }: ContentsProps) {
  const current = useCurrentSection(group ? '' : 'start')
  const start = group ? paths.docs : ''

  return (
    <>
      <ul className={classes.contentsList}>
        <Entry to={`${start}#recipes`} title="Recipes" isCurrent={current.startsWith('recipe')} />
        {guideSections.map(({ anchor, title }) => (
          <Entry
            key={anchor}
            to={`${start}#${anchor}`}
            title={title}
            isCurrent={anchor === current}
          />
        ))}
      </ul>
      <span className={classes.contentsGroup}>Calls</span>
      <ul className={classes.contentsList}>
        {groups.map(({ anchor, title, operations: calls }) => (
          <Entry
            key={anchor}
            to={paths.docsGroup(anchor)}
            title={title}
            isCurrent={anchor === group?.anchor && current === ''}
          >
            {anchor === group?.anchor && (
              <ul className={classes.contentsList} data-inner>
                {calls.map(({ anchor: own, endpoint }) => (
                  <Entry
                    key={own}
                    to={`#${own}`}
                    title={endpoint.summary}
                    isCurrent={own === current}
                  />
                ))}
              </ul>
            )}
          </Entry>
        ))}
      </ul>
    </>
  )
}

interface EntryProps {
  to: string
  title: string
  isCurrent: boolean
  children?: ReactNode
}

function Entry({ to, title, isCurrent, children }: EntryProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])

  const shared = {
    ref: link,
    className: classes.contentsLink,
    'aria-current': isCurrent ? ('location' as const) : undefined,
    children: title,
  }

  return (
    <li>
      {/* The browser scrolls within the page; the app opens others. */}
      {to.startsWith('#') ? <a {...shared} href={to} /> : <Link {...shared} to={to} />}
      {children}
    </li>
  )
}
