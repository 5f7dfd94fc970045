import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { notFound } from '../../core/errors'
import { sendDocument } from '../../http/send/send-document'
import type { Audience } from '../releases/audience'
import { releasePolicy, seenBy } from '../projects/release-policy'
import { electronFeed, targetOf, findUpdate } from './electron'

const MAP = '.blockmap'

interface Named {
  version: string
  filename: string
}

/**
 * Sends the feeds of electron-updater and their files. The files are below the feeds, so that a
 * download by an updater is recognized by its address.
 */
export function updateFeeds(context: Rooms<'files' | 'projects' | 'transfers'>) {
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
