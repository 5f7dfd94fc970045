import type Router from '@koa/router'
import type { Context } from 'koa'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type ImportProgress } from '../../contract'
import { AppError, retryLater } from '../../core/errors'
import { Serial } from '../../core/serial'
import { requireStillHeld } from '../../http/endpoint/call'
import { replyWithEvents } from '../../http/endpoint/event-reply'
import { readJson } from '../../http/endpoint/read-json'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { asAppError } from '../../http/pipeline/problems'
import { collectAccount, collectProject, summarize } from './collect-export'
import type { Imported } from './import-export'

type Deps = Rooms<
  | 'accounts'
  | 'attachments'
  | 'data'
  | 'deletion'
  | 'files'
  | 'host'
  | 'pictures'
  | 'projects'
  | 'transfers'
>

/** Faster updates are not visible, in ms. */
const TELL_EVERY_MS = 100
const RETRY_S = 15

/** Exports of an account or a project, and imports. */
export function exportRoutes(router: Router, context: Deps): void {
  const { transfers, accounts } = context

  const auditOnce = (ctx: Context, kind: 'account_export' | 'project_export', subject: string) => {
    // A resumed export is one event.
    if (ctx.method === 'GET' && ctx.get('range') === '')
      accounts.audit.record(ctx, { kind, subject })
  }

  serve(router, api.exports.summary, async ({ actor }) => {
    const collected = collectAccount(context, actor)
    return { export: summarize(collected, await transfers.delivery.sizeOfZip(collected.zip)) }
  })

  serveRaw(router, api.exports.account, async (ctx, { actor }) => {
    await transfers.delivery.sendPrivateZip(ctx, () => {
      const { zip } = collectAccount(context, actor)
      auditOnce(ctx, 'account_export', zip.filename)
      return zip
    })
  })

  serveRaw(router, api.exports.project, async (ctx, { actor }, params) => {
    const { id } = parseInput(api.exports.project.input, params)
    await transfers.delivery.sendPrivateZip(ctx, () => {
      const { zip, manifest } = collectProject(context, actor, id)
      auditOnce(ctx, 'project_export', manifest.projects[0]?.title ?? '')
      return zip
    })
  })

  importRoute(router, context)
}

/** Imports run one after the other, because each may read and write the whole disk. */
function importRoute(router: Router, context: Deps): void {
  const { files, deletion, host, accounts } = context
  const queue = new Serial()
  const running = new Set<string>()

  serveRaw(router, api.exports.import, async (ctx, { actor }) => {
    const input = parseInput(api.exports.import.input, await readJson(ctx))
    const zip = files.policy.require(actor, 'delete', files.store.find(input.file_id))
    const userId = userIdOf(actor)
    if (running.has(userId)) throw retryLater('busy', 'Another import of yours is running', RETRY_S)
    running.add(userId)

    try {
      // Most hosts import nothing.
      const { importExport } = await import('./import-export')
      await replyWithEvents(ctx, 'progress', async (send, signal) => {
        const progress = new ImportTeller(send)
        const work = () =>
          importExport(context, host.sources, zip, {
            asCopy: input.as_copy,
            requireCaller: () => requireStillHeld(ctx),
            onProgress: (bytes, size) => progress.note(bytes, size),
            signal,
          })

        try {
          // Proxies cut a silent connection, and others may be first for long.
          if (running.size > 1) progress.note(0, 0)
          const imported = await runUnlessAborted(queue, work, signal)
          const left = files.store.find(zip.id)
          if (left?.ownerId === zip.ownerId) await deletion.deleteFile(left)
          accounts.audit.record(ctx, { kind: 'account_import', subject: zip.filename })
          tellMembers(context, userId, imported)
          progress.done(imported)
        } catch (cause) {
          if (!progress.hasBegun || signal.aborted) throw cause
          progress.failed(asAppError(cause, host.log))
        }
      })
    } finally {
      running.delete(userId)
    }
  })
}

/** Runs work in its turn. Rejects when the signal aborts before that. */
async function runUnlessAborted<T>(
  queue: Serial,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const left = Promise.withResolvers<never>()
  const leave = () => left.reject(signal.reason)
  signal.addEventListener('abort', leave)

  const result = queue.run(() => {
    signal.throwIfAborted()
    signal.removeEventListener('abort', leave)
    return work()
  })
  return Promise.race([result, left.promise])
}

function tellMembers({ projects }: Rooms<'projects'>, userId: string, imported: Imported): void {
  for (const { project } of imported.projects)
    projects.events.emit({ kind: 'page', project, userId, subjectId: null })
}

/** Reports the progress of an import to its client. */
class ImportTeller {
  #bytes = 0
  #size = 0
  #toldAt = -Infinity
  hasBegun = false

  constructor(private readonly send: (progress: ImportProgress) => void) {}

  note(bytes: number, size: number): void {
    ;[this.#bytes, this.#size, this.hasBegun] = [bytes, size, true]
    const now = performance.now()
    if (bytes < size && now - this.#toldAt < TELL_EVERY_MS) return
    this.#toldAt = now
    this.#say({})
  }

  done({ files, projects }: Imported): void {
    const result = {
      files,
      projects: projects.map(({ project, exportedSlug }) => ({
        project_id: project.id,
        title: project.title,
        slug: project.slug,
        exported_slug: exportedSlug,
      })),
    }
    this.#say({ result })
  }

  failed(error: AppError): void {
    this.#say({ problem: error.toProblem() })
  }

  #say(end: Partial<Pick<ImportProgress, 'result' | 'problem'>>): void {
    this.send({ bytes: this.#bytes, size: this.#size, result: null, problem: null, ...end })
  }
}
