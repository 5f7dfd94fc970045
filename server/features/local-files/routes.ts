import { basename } from 'node:path'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { replyWithEvents } from '../../http/endpoint/event-reply'
import { asAppError } from '../../http/pipeline/problems'
import { readJson } from '../../http/endpoint/read-json'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { cleanFilename } from '../../texts/filename'
import { LocalProgressTeller } from './local-progress'
import type { OfferedFile } from './offered-files'
import { presentFile } from '../files/presenter'
import { resolvePlace } from '../uploads/upload'

type Input = z.output<typeof api.localFiles.publish.input>

interface Running {
  progress: LocalProgressTeller
  signal: AbortSignal
}

/** Local files, for the account at the app window. */
export function localFileRoutes(
  router: Router,
  context: Rooms<'accounts' | 'files' | 'host' | 'projects' | 'transfers'>,
): void {
  serveRaw(router, api.localFiles.publish, async (ctx, { actor }) => {
    const input = parseInput(api.localFiles.publish.input, await readJson(ctx))
    await replyWithEvents(ctx, 'progress', async (tell, signal) => {
      const progress = new LocalProgressTeller(tell)
      const take = (offered: OfferedFile) =>
        publish(context, ctx, actor, { offered, input }, { progress, signal })

      try {
        const { file, warnings } = await context.transfers.offeredFiles.use(input.offer_id, take)
        progress.done(presentFile(context, file, actor), warnings)
      } catch (cause) {
        if (!progress.hasBegun || signal.aborted) throw cause
        progress.failed(asAppError(cause, context.host.log).toProblem())
      }
    })
  })
}

async function publish(
  context: Rooms<'accounts' | 'files' | 'projects' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  { offered, input }: { offered: OfferedFile; input: Input },
  { progress, signal }: Running,
) {
  const { ownerId: payerId } = resolvePlace(context, ctx, actor, input)
  const filename = cleanFilename(basename(offered.path))
  context.transfers.running.begin(ctx, { direction: 'upload', filename, measure: progress })

  const { file, warnings } = await context.transfers.publishLocal(
    offered,
    { filename, version: input.version || null },
    { payerId, signal, onProgress: (bytes, size) => progress.note(bytes, size) },
    {
      place: () => ({ ...resolvePlace(context, ctx, actor, input), payerId }),
      record: (_tx, added, warned = []) => ({ file: added, warnings: warned }),
    },
  )

  context.accounts.audit.record(ctx, {
    kind: 'file_upload',
    subject: file.filename,
    detail: file.isPublic ? 'public' : 'private',
  })

  return { file, warnings }
}
