import { Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useScrollToHash } from '../../lib/hooks/use-scroll-to-hash'
import { useHead } from '../../lib/texts/head'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { Call } from './call'
import { Contents } from './contents'
import classes from './docs.module.css'
import { Guide } from './guide'
import { LanguageProvider } from './examples/language'
import { groups } from './examples/operations'

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
