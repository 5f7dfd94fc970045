import { Tabs } from '@mantine/core'
import { Fragment } from 'react'
import type { SnippetFile } from '../../lib/ci/snippets'
import { CopyButton } from '../../ui/text/copy-button'
import { Code } from './code-panel'
import classes from './docs.module.css'
import { useLanguage } from './examples/language'

interface CodeTabsProps {
  title: string
  /** Computed only when shown. */
  examples: readonly (readonly [language: string, write: () => string | readonly SnippetFile[]])[]
}

/** The same task in several languages. The choice applies to the whole page. */
export function CodeTabs({ title, examples }: CodeTabsProps) {
  const [preferred, choose] = useLanguage()

  const names = examples.map(([name]) => name)
  const language = names.includes(preferred) ? preferred : names[0]
  const written = examples.find(([name]) => name === language)?.[1]() ?? ''
  const files = typeof written === 'string' ? [{ path: '', code: written }] : written

  return (
    <Tabs
      value={language ?? null}
      onChange={(name) => name !== null && choose(name)}
      className={classes.panel}
    >
      <div className={classes.panelHead}>
        <Tabs.List aria-label={`${title}: language`} className={classes.tabs}>
          {names.map((name) => (
            <Tabs.Tab key={name} value={name} className={classes.tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {files[0]?.path === '' && (
          <CopyButton value={files[0].code} label={`Copy: ${title}`} look="icon" />
        )}
      </div>
      {language !== undefined && (
        <Tabs.Panel value={language} tabIndex={-1}>
          {files.map(({ path, code }) => (
            <Fragment key={path}>
              {path !== '' && (
                <div className={classes.panelHead}>
                  <span>{path}</span>
                  <CopyButton value={code} label={`Copy: ${path}`} look="icon" />
                </div>
              )}
              <Code
                text={code}
                label={`${title} in ${language}${path === '' ? '' : `: ${path}`}`}
              />
            </Fragment>
          ))}
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
