import type { Project } from '../../../server/contract'

export type Step = 'upload' | 'create' | 'share'

interface Progress {
  files: number
  projects: readonly Pick<Project, 'is_public' | 'stats'>[]
  /** Whether a project address was copied in this browser. */
  hasCopied: boolean
}

/** The open steps of a new account: a file, a project, and a visitor to its page. */
export function stepsLeft({ files, projects, hasCopied }: Progress): Step[] {
  const isSeen = projects.some(
    ({ is_public, stats }) => is_public && (stats.views > 0 || stats.total_downloads > 0),
  )
  const isDone: Record<Step, boolean> = {
    upload: files > 0,
    create: projects.length > 0,
    share: isSeen || (hasCopied && projects.some(({ is_public }) => is_public)),
  }
  return (['upload', 'create', 'share'] as const).filter((step) => !isDone[step])
}
