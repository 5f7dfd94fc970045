import { useEffect, useRef } from 'react'
import { Disclosure } from '../../ui/layout/disclosure'
import { useCurrentSection } from '../../ui/layout/use-current-section'
import classes from './docs.module.css'
import { guideSections } from './guide'
import { groups } from './examples/operations'

export function Contents() {
  return (
    <>
      <nav className={classes.contents} aria-label="Contents">
        <ContentsList />
      </nav>
      <div className={classes.foldedContents}>
        <Disclosure label="Contents">
          <ContentsList />
        </Disclosure>
      </div>
    </>
  )
}

function ContentsList() {
  const current = useCurrentSection('start')

  return (
    <ul className={classes.contentsList}>
      {guideSections.map(({ anchor, title }) => (
        <Entry key={anchor} anchor={anchor} title={title} isCurrent={anchor === current} />
      ))}
      {groups.map(({ anchor, title, operations }) => (
        <li key={anchor}>
          <span className={classes.contentsGroup}>{title}</span>
          <ul className={classes.contentsList}>
            {operations.map(({ anchor: own, endpoint }) => (
              <Entry key={own} anchor={own} title={endpoint.summary} isCurrent={own === current} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function Entry({
  anchor,
  title,
  isCurrent,
}: {
  anchor: string
  title: string
  isCurrent: boolean
}) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])

  return (
    <li>
      <a
        ref={link}
        href={`#${anchor}`}
        className={classes.contentsLink}
        aria-current={isCurrent ? 'location' : undefined}
      >
        {title}
      </a>
    </li>
  )
}
