import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import { findFace } from './face'
import { findPreview } from './preview'

/** How long after a change, in ms: more may follow. */
const SOON_MS = 5000

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'pictures' | 'projects'>

/** Draws the link preview of a public project soon after a change, so that the first visitor finds it. Returns how to stop. */
export function drawAfterChanges(context: Deps): () => void {
  const changed = new Set<string>()
  let soon: NodeJS.Timeout | undefined
  const drawAll = async () => {
    for (const id of changed) {
      changed.delete(id)
      await drawPreview(context, id).catch((err: unknown) => {
        if (!(err instanceof AppError)) context.host.log.warn({ err }, 'cannot draw a link preview')
      })
    }
    soon = undefined
  }

  const end = context.projects.events.subscribe(({ project }) => {
    if (!project.isPublic) return
    changed.add(project.id)
    soon ??= setTimeout(() => void drawAll(), SOON_MS).unref()
  })
  return () => {
    end()
    changed.clear()
    clearTimeout(soon)
  }
}

async function drawPreview(context: Deps, projectId: string): Promise<void> {
  const preview = findPreview(context, findFace(context, projectId), undefined)
  if (preview) await context.pictures.previews.get({ ...preview, projectId, isOfRelease: false })
}
