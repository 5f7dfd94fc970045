import { realpath } from 'node:fs/promises'
import { isAbsolute, posix, relative, sep } from 'node:path'
import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, WATCHES_MAX } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'
import { lookInto, type Entry, type Wanted } from './folder-look'
import { matchesPattern } from './name-pattern'
import { presentWatch } from './presenter'
import type { WatchChange, WatchRecord } from './watch-store'

/** The watched folders of a project, for its owner at the window. */
export function watchRoutes(router: Router, context: Rooms<'accounts' | 'data' | 'projects' | 'watching'>): void {
  const { store: projects, policy: projectPolicy, watches } = context.projects
  const { folders: watching, chosenFolders } = context.watching
  const { audit } = context.accounts
  const { dataDir } = context.data
  const owned = (actor: Actor, id: string) => projectPolicy.require(actor, 'link', projects.find(id))
  const watchOf = (actor: Actor, { id, watchId }: { id: string; watchId: string }) => {
    const project = owned(actor, id)
    const watch = watches.find(watchId)
    if (watch?.projectId !== project.id) throw notFound('Watched folder')
    return { project, watch }
  }
  const folderOf = (name: string, projectId: string, watchId?: string) => {
    const folder = chosenFolders.find(name)
    if (folder === undefined) throw new AppError('invalid_input', 'Choose the folder once more', 'folder')
    const others = watches.ofProject(projectId).filter((other) => other.id !== watchId)
    if (others.some((other) => other.folder === folder)) {
      throw new AppError('taken', 'This project watches that folder already', 'folder')
    }
    return folder
  }

  serve(router, api.watches.list, ({ actor, input }) => ({
    watches: watches.ofProject(owned(actor, input.id).id).map((watch) => presentWatch(context, watch)),
  }))

  serve(router, api.watches.add, async ({ actor, input, ctx }) => {
    const { id: projectId, ownerId, title } = owned(actor, input.id)
    if (watches.ofProject(projectId).length >= WATCHES_MAX) {
      throw new AppError('invalid_input', `A project can watch ${WATCHES_MAX} folders at most`, 'folder')
    }
    const folder = folderOf(input.folder, projectId)
    const wanted = { folder, pattern: input.pattern, withBelow: input.include_below }
    await requireApart(wanted, dataDir)
    const present = await presentIn(wanted)
    const chosen = { ...wanted, versionFrom: input.version_from, isPublic: input.is_public }
    const watch = await watches.add({ projectId, ownerId, ...chosen }, input.include_existing ? [] : present)
    chosenFolders.use(input.folder)
    await watching.refresh(watch.id)
    audit.record(ctx, { kind: 'watch_add', subject: folder, detail: title })
    return { watch: presentWatch(context, watch) }
  })

  serve(router, api.watches.change, async ({ actor, input, ctx }) => {
    const { project, watch: before } = watchOf(actor, input)
    const wanted: WatchChange = {
      folder: input.folder === undefined ? before.folder : folderOf(input.folder, project.id, before.id),
      pattern: input.pattern ?? before.pattern,
      withBelow: input.include_below ?? before.withBelow,
      versionFrom: input.version_from ?? before.versionFrom,
      isPublic: input.is_public ?? before.isPublic,
      isPaused: input.paused ?? before.isPaused,
    }
    if (input.folder !== undefined || input.include_below) await requireApart(wanted, dataDir)
    const present = input.include_existing ? [] : await newlyPresent(before, wanted)
    const watch = await watches.change(before.id, wanted, present)
    if (!watch) throw notFound('Watched folder')
    if (input.folder !== undefined) chosenFolders.use(input.folder)
    await watching.refresh(watch.id)
    audit.record(ctx, { kind: 'watch_change', subject: watch.folder, detail: project.title })
    return { watch: presentWatch(context, watch) }
  })

  serve(router, api.watches.remove, async ({ actor, input, ctx }) => {
    const { project, watch } = watchOf(actor, input)
    await watches.remove(watch.id)
    await watching.refresh(watch.id)
    audit.record(ctx, { kind: 'watch_remove', subject: watch.folder, detail: project.title })
    return {}
  })
}

/** What is there before anybody has asked for it: in other folders, under another pattern, or since a pause. */
async function newlyPresent(before: WatchRecord, wanted: WatchChange): Promise<Entry[]> {
  const isNew = before.isPaused || before.folder !== wanted.folder
  const isSame = before.pattern === wanted.pattern && before.withBelow === wanted.withBelow
  if (wanted.isPaused || (!isNew && isSame)) return []
  const there = await presentIn(wanted)
  return isNew ? there : there.filter(({ name }) => !isAskedFor(before, name))
}

function isAskedFor({ pattern, withBelow }: Wanted, name: string): boolean {
  const filename = posix.basename(name)
  return matchesPattern(filename, pattern) && (withBelow || filename === name)
}

async function presentIn(wanted: Wanted): Promise<Entry[]> {
  const found = await lookInto(wanted).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid_input', 'This folder cannot be read', 'folder')
  })
  return found.entries
}

/** The secrets and the records of this host are no builds. */
async function requireApart({ folder, withBelow }: Wanted, dataDir: string): Promise<void> {
  const [watched, own] = [await realpath(folder).catch(() => folder), await realpath(dataDir)]
  const refused = (text: string) => new AppError('invalid_input', text, 'folder')
  if (isInside(watched, own)) throw refused('That folder belongs to Slipway itself: choose another')
  if (withBelow && isInside(own, watched)) throw refused('The data of Slipway lies below that folder: choose another')
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}
