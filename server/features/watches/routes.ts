import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, WATCHES_MAX } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'
import { presentWatch } from './presenter'
import { newlyPresent, listEntries, requireApart } from './wanted-folder'
import type { WatchChange } from './watch-store'

type Deps = Rooms<'accounts' | 'data' | 'projects' | 'watching'>

/** The watched folders of a project, for its owner at the window. */
export function watchRoutes(router: Router, context: Deps): void {
  const { watches } = context.projects
  const { requireOwned, requireWatch, requireFolder } = createFinders(context)

  serve(router, api.watches.list, ({ actor, input }) => ({
    watches: watches
      .ofProject(requireOwned(actor, input.id).id)
      .map((watch) => presentWatch(context, watch)),
  }))

  serve(router, api.watches.remove, async ({ actor, input, ctx }) => {
    const { project, watch } = requireWatch(actor, input)
    await watches.remove(watch.id)
    await context.watching.folders.refresh(watch.id)
    context.accounts.audit.record(ctx, {
      kind: 'watch_remove',
      subject: watch.folder,
      detail: project.title,
    })
    return {}
  })

  serve(router, api.watches.add, async ({ actor, input, ctx }) => {
    const { id: projectId, ownerId, title } = requireOwned(actor, input.id)
    if (watches.ofProject(projectId).length >= WATCHES_MAX) {
      throw new AppError(
        'invalid_input',
        `A project can watch at most ${WATCHES_MAX} folders`,
        'folder',
      )
    }

    const folder = requireFolder(input.folder, projectId)
    const search = { folder, pattern: input.pattern, withBelow: input.include_below }
    await requireApart(search, context.data.dataDir)
    const present = await listEntries(search)

    const chosen = { ...search, versionFrom: input.version_from, isPublic: input.is_public }
    const watch = await watches.add(
      { projectId, ownerId, ...chosen },
      input.include_existing ? [] : present,
    )

    context.watching.chosenFolders.use(input.folder)
    await context.watching.folders.refresh(watch.id)
    context.accounts.audit.record(ctx, { kind: 'watch_add', subject: folder, detail: title })
    return { watch: presentWatch(context, watch) }
  })

  serve(router, api.watches.change, async ({ actor, input, ctx }) => {
    const { project, watch: before } = requireWatch(actor, input)
    const change: WatchChange = {
      folder:
        input.folder === undefined
          ? before.folder
          : requireFolder(input.folder, project.id, before.id),
      pattern: input.pattern ?? before.pattern,
      withBelow: input.include_below ?? before.withBelow,
      versionFrom: input.version_from ?? before.versionFrom,
      isPublic: input.is_public ?? before.isPublic,
      isPaused: input.paused ?? before.isPaused,
    }

    if (input.folder !== undefined || input.include_below)
      await requireApart(change, context.data.dataDir)
    const present = input.include_existing ? [] : await newlyPresent(before, change)
    const watch = await watches.change(before.id, change, present)
    if (!watch) throw notFound('Watched folder')

    if (input.folder !== undefined) context.watching.chosenFolders.use(input.folder)
    await context.watching.folders.refresh(watch.id)

    context.accounts.audit.record(ctx, {
      kind: 'watch_change',
      subject: watch.folder,
      detail: project.title,
    })
    return { watch: presentWatch(context, watch) }
  })
}

function createFinders({ projects, watching }: Rooms<'projects' | 'watching'>) {
  const { store, policy, watches } = projects
  const requireOwned = (actor: Actor, id: string) => policy.require(actor, 'update', store.find(id))

  const requireWatch = (actor: Actor, { id, watchId }: { id: string; watchId: string }) => {
    const project = requireOwned(actor, id)
    const watch = watches.find(watchId)
    if (watch?.projectId !== project.id) throw notFound('Watched folder')
    return { project, watch }
  }

  const requireFolder = (name: string, projectId: string, watchId?: string) => {
    const folder = watching.chosenFolders.find(name)
    if (folder === undefined)
      throw new AppError('invalid_input', 'Choose the folder again', 'folder')

    const others = watches.ofProject(projectId).filter((other) => other.id !== watchId)
    if (others.some((other) => other.folder === folder)) {
      throw new AppError('taken', 'This project already watches that folder', 'folder')
    }
    return folder
  }

  return { requireOwned, requireWatch, requireFolder }
}
