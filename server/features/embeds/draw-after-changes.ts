import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import { findFace } from './face'
import { findPreview } from './preview'

/** How often to check for changes, in ms. Several often follow each other. */
const LOOK_MS = 30_000

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'pictures' | 'projects'>

/**
 * Draws the link preview of a public project soon after a change, so that the first visitor finds
 * it ready. Returns a function that stops this.
 */
export function drawAfterChanges(context: Deps): () => void {
  const { changedProjects } = context.pictures

  const drawAll = async () => {
    for (const id of changedProjects) {
      changedProjects.delete(id)
      await drawPreview(context, id).catch((err: unknown) => {
        if (!(err instanceof AppError)) context.host.log.warn({ err }, 'cannot draw a link preview')
      })
    }
  }

  const looking = setInterval(() => void drawAll(), LOOK_MS).unref()
  return () => {
    clearInterval(looking)
    changedProjects.clear()
  }
}

async function drawPreview(context: Deps, projectId: string): Promise<void> {
  const preview = findPreview(context, findFace(context, projectId), undefined)
  if (preview) await context.pictures.previews.get({ ...preview, projectId, isOfRelease: false })
}
