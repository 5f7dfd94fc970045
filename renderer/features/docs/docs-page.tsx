import { Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useScrollToHash } from '../../lib/hooks/use-scroll-to-hash'
import { useHead } from '../../lib/texts/head'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { Call } from './call'
import classes from './docs.module.css'
import { Guide, guideSections } from './guide'
import { LanguageProvider } from './examples/language'
import { groups } from './examples/operations'
import { Disclosure } from '../../ui/layout/disclosure'
import { useCurrentSection } from '../../ui/layout/use-current-section'

const ABOUT =
  'Upload, publish and download from scripts and CI. Every call of this host, with examples ' +
  'to paste.'

export function DocsPage() {
  useHead({ title: 'API Docs', description: ABOUT })
  useScrollToHash()
  const base = useShareUrl()('')
  const language = useState('curl')

  return (
    <LanguageProvider value={language}>
      <div className={classes.page}>
        <Contents />
        <div className={classes.body}>
          <header className={classes.intro}>
            <Title order={1}>API Docs</Title>
            <Text c="dimmed" size="md">
              {ABOUT}
            </Text>
            <OnlyThisComputer text="Only this computer can open the address in the examples." />
          </header>
          <Guide base={base} />
          {groups.map(({ anchor, title, operations }) => (
            <div key={anchor} className={classes.group}>
              <Title order={2} className={classes.groupTitle}>
                {title}
              </Title>
              {operations.map((operation) => (
                <Call key={operation.anchor} operation={operation} base={base} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </LanguageProvider>
  )
}

function Contents() {
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
