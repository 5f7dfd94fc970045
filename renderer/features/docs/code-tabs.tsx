import { Tabs } from '@mantine/core'
import { CopyButton } from '../../ui/copy-button'
import { Code } from './code-panel'
import classes from './docs.module.css'
import { useLanguage } from './language'

interface CodeTabsProps {
  /** What the code does: 'Upload a file'. */
  title: string
  examples: readonly (readonly [language: string, code: string])[]
}

/** The same task in several languages. The choice holds for the whole page. */
export function CodeTabs({ title, examples }: CodeTabsProps) {
  const [preferred, choose] = useLanguage()
  const names = examples.map(([name]) => name)
  const shown = names.includes(preferred) ? preferred : names[0]
  const code = examples.find(([name]) => name === shown)?.[1] ?? ''
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
      {examples.map(([name, text]) => (
        <Tabs.Panel key={name} value={name} tabIndex={-1}>
          <Code text={text} label={`${title} in ${name}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
