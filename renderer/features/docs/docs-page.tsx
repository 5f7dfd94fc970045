import { Anchor, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router-dom'
import { useScrollToHash } from '../../lib/hooks/use-scroll-to-hash'
import { useHead } from '../../lib/texts/head'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { paths } from '../../paths'
import { Call } from './call'
import { Contents } from './contents'
import classes from './docs.module.css'
import { Guide } from './guide'
import { LanguageProvider } from './examples/language'
import { callPath, groups, operations, type CallGroup } from './examples/operations'
import { Recipes } from './recipes'

const ABOUT =
  'Upload, publish and download from scripts and CI. Every call of this host, with examples ' +
  'to paste.'

/** Recipes and guide, or the calls of one group. */
export function DocsPage() {
  const { group: name } = useParams()
  const { hash } = useLocation()
  const language = useState('curl')

  const group = groups.find(({ anchor }) => anchor === name)
  // All calls were on one page.
  const moved = operations.find(({ anchor }) => anchor === hash.slice(1))
  if (moved && !group) return <Navigate replace to={callPath(moved)} />
  if (name !== undefined && !group) return <Navigate replace to={paths.docs} />

  return (
    <LanguageProvider value={language}>
      <div className={classes.page}>
        <Contents group={group} />
        <div className={classes.body}>
          {group ? <GroupPage key={name} group={group} /> : <StartPage />}
        </div>
      </div>
    </LanguageProvider>
  )
}

function StartPage() {
  useHead({ title: 'API Docs', description: ABOUT })
  useScrollToHash()
  const base = useShareUrl()('')

  return (
    <>
      <header className={classes.intro}>
        <Title order={1}>API Docs</Title>
        <Text c="dimmed" size="md">
          {ABOUT} For everything else, read the{' '}
          <Anchor href={paths.guide} inherit>
            guide
          </Anchor>
          .
        </Text>
        <OnlyThisComputer text="Only this computer can open the address in the examples." />
      </header>
      <Recipes base={base} />
      <Guide base={base} />
    </>
  )
}

function GroupPage({ group: { title, operations: calls } }: { group: CallGroup }) {
  useHead({ title: `${title} · API Docs`, description: ABOUT })
  useScrollToHash()
  const base = useShareUrl()('')

  return (
    <div className={classes.group}>
      <Title order={1}>{title}</Title>
      {calls.map((operation) => (
        <Call key={operation.anchor} operation={operation} base={base} />
      ))}
    </div>
  )
}
