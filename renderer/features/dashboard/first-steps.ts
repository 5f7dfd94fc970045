import type { Project } from '../../../server/contract'

export type Step = 'upload' | 'create' | 'share'

interface Progress {
  files: number
  /** The person's own projects. */
  projects: readonly Pick<Project, 'is_public' | 'stats'>[]
  /** Whether the address of a project was copied in this browser. */
  hasCopied: boolean
}

/** What a new account has yet to do: a file, a project, and somebody who sees its page. */
export function stepsLeft({ files, projects, hasCopied }: Progress): Step[] {
  const isSeen = projects.some(({ is_public, stats }) => is_public && (stats.views > 0 || stats.total_downloads > 0))
  const isDone: Record<Step, boolean> = {
    upload: files > 0,
    create: projects.length > 0,
    share: isSeen || (hasCopied && projects.some(({ is_public }) => is_public)),
  }
  return (['upload', 'create', 'share'] as const).filter((step) => !isDone[step])
}
