import type { ComponentType, ReactNode } from 'react'
import type { LinkedFile, Platform, Project } from '../../../server/contract'

interface Post {
  author: string
  content: string
  createdAt: string
  updatedAt: string
}

/** What only the app has. */
export interface ProjectSlots {
  manage: ReactNode
  /** Below the share link. */
  share: ReactNode
  /** Instead of `posts`. */
  updates: ReactNode
  /** Instead of the sentence for visitors. */
  nothing: ReactNode
  check: (file: LinkedFile) => ReactNode
  digest: (file: LinkedFile) => ReactNode
  /** Beside a private file. */
  publish: (file: LinkedFile) => ReactNode
}

export interface ProjectPageProps {
  project: Project
  /** Of the visitor; undefined: unknown. */
  device: Platform | undefined
  now: Date
  /** The address for links that people copy. */
  host: { url: string; reachable: boolean }
  /** The path of the page: `/p/rocket`. */
  base: string
  /** On the page of a tester link: its name and end. */
  tester?: { name: string; until: string } | undefined
  /** Newest first. */
  posts: readonly Post[]
  /** Shows Markdown: the parser is large, so that the app loads it later. */
  Written: ComponentType<{ text: string; small?: boolean }>
  slots?: ProjectSlots | undefined
}
