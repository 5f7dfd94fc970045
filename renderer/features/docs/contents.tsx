import { useEffect, useState } from 'react'
import { Disclosure } from '../../ui/disclosure'
import classes from './docs.module.css'
import { guideSections } from './guide'
import { groups } from './operations'

/** Where to find what: beside the text on a wide screen, folded above it on a narrow one. */
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
  const current = useCurrentSection()
  const link = (anchor: string, title: string) => (
    <a href={`#${anchor}`} className={classes.contentsLink} aria-current={anchor === current ? 'location' : undefined}>
      {title}
    </a>
  )
  return (
    <ul className={classes.contentsList}>
      {guideSections.map(({ anchor, title }) => (
        <li key={anchor}>{link(anchor, title)}</li>
      ))}
      {groups.map(({ anchor, title, operations }) => (
        <li key={anchor}>
          <span className={classes.contentsGroup}>{title}</span>
          <ul className={classes.contentsList}>
            {operations.map((operation) => (
              <li key={operation.anchor}>{link(operation.anchor, operation.endpoint.summary)}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** The section that the reader is in: the last one whose heading has passed the top of the window. */
function useCurrentSection(): string {
  const [current, setCurrent] = useState('start')
  useEffect(() => {
    const seen = new Map<string, boolean>()
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) seen.set(target.id, isIntersecting)
        const first = [...seen].find(([, isVisible]) => isVisible)
        if (first) setCurrent(first[0])
      },
      { rootMargin: '-80px 0px -60% 0px' },
    )
    for (const section of document.querySelectorAll('section[id]')) {
      seen.set(section.id, false)
      observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])
  return current
}
