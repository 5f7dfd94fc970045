import { Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './sections.module.css'
import { useCurrentSection } from './use-current-section'

interface SectionsProps {
  sections: readonly { id: string; title: string }[]
  children: ReactNode
}

/** A long page of sections, with links to them beside it, or above it on a phone. */
export function Sections({ sections, children }: SectionsProps) {
  const current = useCurrentSection(sections[0]?.id ?? '')

  return (
    <div className={classes.columns}>
      <nav aria-label="Sections" className={classes.nav}>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Stack gap="lg" miw={0}>
        {children}
      </Stack>
    </div>
  )
}

export function Section({
  id,
  title,
  children,
}: {
  id: string
  title: string
  children: ReactNode
}) {
  return (
    <Card component="section" id={id} aria-label={title} className={classes.section}>
      <Stack gap="md">
        <Title order={2} size="h3">
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  )
}
