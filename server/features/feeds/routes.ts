import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { sendDocument } from '../../http/send/send-document'
import { shareUrl } from '../../network/addresses'
import type { Audience } from '../releases/audience'
import { serveAudiences } from '../testers/serve-audiences'
import { buildNewsFeed } from './entries'
import { atomFeed, jsonFeed } from './formats'
import { notFound } from '../../core/errors'
import { releasePolicy, seenBy } from '../projects/release-policy'
import { electronFeed, findUpdate, targetOf } from './electron'

type Deps = Rooms<'accounts' | 'files' | 'network' | 'projects' | 'transfers'>

/** Feeds of a project, for feed readers and updaters. */
export function feedRoutes(router: Router, context: Deps): void {
  const { feeds, testers } = api
  const { atom, json, electron, electronFile } = projectFeeds(context)
  const calls = {
    atom: (ctx: Context, audience: Audience) => atom(ctx, audience),
    json: (ctx: Context, audience: Audience) => json(ctx, audience),
    electron: (ctx: Context, audience: Audience, { feed }: { feed: string }) =>
      electron(ctx, audience, feed),
    electronFile,
  }

  const both = <Name extends keyof typeof calls>(name: Name) =>
    ({ forAll: feeds[name], forTesters: testers[name], asVisitor: true }) as const

  serveAudiences(router, context, both('atom'), calls.atom)
  serveAudiences(router, context, both('json'), calls.json)
  serveAudiences(router, context, { ...both('electron'), hasUpdates: true }, calls.electron)
  serveAudiences(router, context, both('electronFile'), calls.electronFile)
}

/** Returns functions that send the feeds of a project to any audience. */
function projectFeeds(context: Deps) {
  const newsFor = (ctx: Context, audience: Audience, name: string) =>
    buildNewsFeed(context, audience, shareUrl(context.network, ctx).url, name)

  return {
    ...updateFeeds(context),

    atom: async (ctx: Context, audience: Audience) =>
      sendDocument(
        ctx,
        'application/atom+xml; charset=utf-8',
        atomFeed(await newsFor(ctx, audience, 'atom.xml')),
      ),

    json: async (ctx: Context, audience: Audience) =>
      sendDocument(
        ctx,
        'application/feed+json; charset=utf-8',
        jsonFeed(await newsFor(ctx, audience, 'feed.json')),
      ),
  }
}

const MAP = '.blockmap'

interface Named {
  version: string
  filename: string
}

/**
 * Sends the feeds of electron-updater and their files. The files are below the feeds, so that a
 * download by an updater is recognized by its address.
 */
function updateFeeds(context: Rooms<'files' | 'projects' | 'transfers'>) {
  const { updates } = context.files

  const electron = async (ctx: Context, { view }: Audience, name: string) => {
    const target = targetOf(name)
    const update = target && findUpdate(view.releases(), target)
    if (!update) throw notFound('Update')

    const { release, version } = update
    const files = []
    for (const { file } of update.files) {
      const url = `${encodeURIComponent(release.version)}/${encodeURIComponent(file.filename)}`
      files.push({ url, size: file.size, ...(await updates.of(file)) })
    }

    const { notes: releaseNotes, rollout } = release
    const releaseDate = release.publishedAt ?? release.createdAt

    const feed = electronFeed({ version, files, releaseDate, releaseNotes, rollout })
    sendDocument(ctx, 'text/yaml; charset=utf-8', feed)
  }

  const electronFile = async (
    ctx: Context,
    { project, actor, view }: Audience,
    { version, filename }: Named,
  ) => {
    const record = context.projects.store.releases.ofVersion(project.id, version)

    const { release } = releasePolicy.require(
      actor,
      'read',
      record && seenBy(actor, project, record),
    )

    const { files } = view.list(release)
    const findByName = (name: string) => files.find(({ file }) => file.filename === name)?.file
    const file = findByName(filename)
    if (file) return context.transfers.delivery.send(ctx, file, { projectId: project.id })

    const mapped = filename.endsWith(MAP) ? findByName(filename.slice(0, -MAP.length)) : undefined
    const map = mapped && (await updates.readBlockMap(mapped))
    if (!map) throw notFound('File')
    sendDocument(ctx, 'application/gzip', map)
  }

  return { electron, electronFile }
}
