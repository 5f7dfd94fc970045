import { Anchor, Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { isAppWindow } from '../../lib/browser/desktop'
import classes from './settings-part.module.css'

const TITLES = {
  sharing: 'Sharing',
  https: 'HTTPS',
  speed: 'Speed',
  people: 'People',
  app: 'This app',
  mirror: 'Downloads from a bucket',
} as const
type PartId = keyof typeof TITLES

export function Part({ id, children }: { id: PartId; children: ReactNode }) {
  return (
    <Card component="section" id={id} aria-label={TITLES[id]} className={classes.part}>
      <Stack gap="md">
        <Title order={2} size="h3">
          {TITLES[id]}
        </Title>
        {children}
      </Stack>
    </Card>
  )
}

/** Links to the sections. Browsers have no “This app” section: it works in the app only. */
export function PartsList() {
  return (
    <nav aria-label="Sections">
      <ul className={classes.contents}>
        {Object.entries(TITLES)
          .filter(([id]) => id !== 'app' || isAppWindow())
          .map(([id, title]) => (
            <li key={id}>
              <Anchor href={`#${id}`}>{title}</Anchor>
            </li>
          ))}
      </ul>
    </nav>
  )
}
