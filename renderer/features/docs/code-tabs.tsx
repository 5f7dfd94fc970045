import { Tabs } from '@mantine/core'
import { CopyButton } from '../../ui/text/copy-button'
import { Code } from './code-panel'
import classes from './docs.module.css'
import { useLanguage } from './examples/language'

interface CodeTabsProps {
  title: string
  /** Computed only when shown. */
  examples: readonly (readonly [language: string, write: () => string])[]
}

/** The same task in several languages. The choice applies to the whole page. */
export function CodeTabs({ title, examples }: CodeTabsProps) {
  const [preferred, choose] = useLanguage()
  const names = examples.map(([name]) => name)
  const shown = names.includes(preferred) ? preferred : names[0]
  const code = examples.find(([name]) => name === shown)?.[1]() ?? ''
  return (
    <Tabs value={shown ?? null} onChange={(name) => name !== null && choose(name)} className={classes.panel}>
      <div className={classes.panelHead}>
        <Tabs.List aria-label={`${title}: language`} className={classes.tabs}>
          {names.map((name) => (
            <Tabs.Tab key={name} value={name} className={classes.tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <CopyButton value={code} label={`Copy: ${title}`} look="icon" />
      </div>
      {shown !== undefined && (
        <Tabs.Panel value={shown} tabIndex={-1}>
          <Code text={code} label={`${title} in ${shown}`} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
