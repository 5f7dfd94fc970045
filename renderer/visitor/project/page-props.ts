import type { ComponentType, ReactNode } from 'react'
import type {
  LinkedFile,
  Platform,
  Project,
  ProjectPage as PageView,
} from '../../../server/contract'
import type { OwnDeviceView } from '../tester/own-device'
import type { NotifyView } from '../notices/notify'
import type { Share } from '../../../server/contract/host/host'

interface Post {
  author: string
  content: string
  createdAt: string
  updatedAt: string
}

/** What a host keeps of a tester, and where that is removed. */
export interface Kept {
  /** The versions that were downloaded by the link, newest first. */
  took: readonly { version: string; platform: string | null; at: string }[]
  /** The iPhone or iPad of this browser, if it sent its identifier. */
  device: { model: string; at: string } | undefined
  /** Whether other devices did. */
  hasOthers: boolean
  /** What the tester wrote to get access. */
  said: readonly string[]
  forget: string
}

/** Parts that only the app has. */
export interface ProjectSlots {
  manage: ReactNode
  /**
   * Instead of a sentence that only this computer can open the page, with the button that changes
   * it.
   */
  alone: (sentence: string) => ReactNode
  /** Instead of `posts`. */
  updates: ReactNode
  /** Instead of the sentence for visitors. */
  nothing: ReactNode
  check: (file: LinkedFile) => ReactNode
  digest: (file: LinkedFile) => ReactNode
  /** Text next to a private file. */
  publish: (file: LinkedFile) => ReactNode
}

/** Props that the pages of a project and of its releases share. */
export interface PageProps {
  project: Project
  page: PageView
  /** Of the visitor; undefined: unknown. */
  device: Platform | undefined
  now: Date
  /** The path of the project: `/p/rocket`. */
  base: string
  /** The same for programs, which know no password; undefined: `base`. */
  programBase?: string | undefined
  host: Share
  /** On the pages of a tester link: its name and end, and what the host keeps of the tester. */
  tester?:
    | {
        name: string
        /** UTC ISO 8601. */
        until: string
        kept: Kept
        device?:
          | { OwnDevice: ComponentType<{ view: OwnDeviceView; now: Date }>; view: OwnDeviceView }
          | undefined
        notify?: { Form: ComponentType<{ view: NotifyView }>; view: NotifyView }
      }
    | undefined
  /** Shows Markdown: the parser is large, so that the app loads it later. */
  Written: ComponentType<{ text: string; small?: boolean }>
  /** Draws a QR code, which the app loads later, too. */
  Code: ComponentType<{ value: string }>
  slots?: ProjectSlots | undefined
}

export interface ProjectPageProps extends PageProps {
  /** The version that the visitor has, to list what is new since. */
  since: string | undefined
  /** Newest first. */
  posts: readonly Post[]
}
