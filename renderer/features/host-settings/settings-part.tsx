import type { ReactNode } from 'react'
import { isAppWindow } from '../../lib/browser/desktop'
import { Section } from '../../ui/layout/sections'

const TITLES = {
  sharing: 'Sharing',
  https: 'HTTPS',
  speed: 'Speed',
  people: 'People',
  app: 'This app',
  bucket: 'Downloads from a bucket',
} as const
type PartId = keyof typeof TITLES

export const Part = ({ id, children }: { id: PartId; children: ReactNode }) => (
  <Section id={id} title={TITLES[id]}>
    {children}
  </Section>
)

/** The sections of the page. Browsers have no “This app” section: it works in the app only. */
export const listParts = () =>
  Object.entries(TITLES)
    .filter(([id]) => id !== 'app' || isAppWindow())
    .map(([id, title]) => ({ id, title }))
