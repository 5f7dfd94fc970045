import type Router from '@koa/router'
import type { Context } from 'koa'
import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type Picture } from '../../contract'
import { notFound } from '../../core/errors'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { presentPictures } from '../projects/presenter'
import { projectPolicy } from '../projects/policy'
import { serveAudiences } from '../testers/serve-audiences'
import { requireRoom } from './picture-store'
import { takePicture } from './take-picture'
import { findPart, picturesIn, type ProjectRecord } from '../../data/records/project-records'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'pictures' | 'projects' | 'transfers'>

/** Routes for the pictures of projects. */
export function pictureRoutes(router: Router, context: Deps): void {
  const { store } = context.pictures
  const { delivery } = context.transfers

  serveRaw(router, api.pictures.add, async (ctx, { actor }, params) => {
    const { id, kind, alt, replaces } = parseInput(api.pictures.add.input, {
      ...ctx.query,
      ...params,
    })

    const project = requireProject(context, actor, id)
    // Check before reading the body. The store checks again.
    requireRoom(picturesIn(project), { kind }, replaces)
    const { picture, trashId } = await takePicture(context, ctx, { project, kind }, (made) =>
      store.add(project.id, { ...made, alt }, replaces),
    )

    announce(context, { ctx, actor }, 'picture_add', project, kind)

    ctx.status = 201
    replyToCall(ctx, api.pictures.add, {
      picture: presentOne(context, project, picture.id),
      trash_id: trashId,
    })
  })

  serve(router, api.pictures.order, async ({ actor, input, ctx }) => {
    const project = requireProject(context, actor, input.id)
    const changed = await store.order(project.id, input.screenshots)
    announce(context, { ctx, actor }, 'picture_change', project, 'order')
    return { pictures: presentPictures(changed) }
  })

  serve(router, api.pictures.update, async ({ actor, input, ctx }) => {
    const project = requireProject(context, actor, input.id)
    await store.describe(project.id, input.pictureId, input.alt)
    announce(context, { ctx, actor }, 'picture_change', project, input.alt)
    return { picture: presentOne(context, project, input.pictureId) }
  })

  serve(router, api.pictures.remove, async ({ actor, input, ctx }) => {
    const project = requireProject(context, actor, input.id)
    const { removed, trashId } = await store.remove(project.id, input.pictureId)
    announce(context, { ctx, actor }, 'picture_remove', project, removed.kind)
    return { trash_id: trashId }
  })

  serveAudiences(
    router,
    context,
    { forAll: api.pictures.file, forTesters: api.testers.picture },
    async (ctx, { project, actor }, { picture: name }) => {
      const [pictureId, width] = name.replace('.webp', '').split('-')
      const picture = picturesIn(project).find(({ id }) => id === pictureId)
      const part = picture && findPart(picture, Number(width))
      if (!part) throw notFound('Picture')

      const isForAll = project.isPublic && actor.kind !== 'tester'

      const content = {
        filename: name,
        type: 'image/webp',
        tag: name,
        modifiedAt: picture.addedAt,
        ...part,
      }

      await delivery.sendPart(ctx, picture.blobId, {
        ...content,
        keeping: isForAll ? 'immutable' : 'private',
      })
    },
  )
}

const requireProject = ({ projects }: Rooms<'projects'>, actor: Actor, id: string): ProjectRecord =>
  projectPolicy.require(actor, 'update', projects.store.find(id))

/** Writes the audit event, and notifies the project's members. */
function announce(
  { accounts: { audit }, projects }: Rooms<'accounts' | 'projects'>,
  { ctx, actor }: { ctx: Context; actor: Actor },
  kind: 'picture_add' | 'picture_change' | 'picture_remove',
  { title, id }: ProjectRecord,
  detail: string,
): void {
  audit.record(ctx, { kind, subject: title, detail })
  const project = projects.store.find(id)
  if (project)
    projects.events.emit({ kind: 'page', project, userId: userIdOf(actor), subjectId: null })
}

/** Presents a picture that was just changed. Throws `not_found` if it was removed concurrently. */
function presentOne(
  { projects }: Rooms<'projects'>,
  { id }: ProjectRecord,
  pictureId: string,
): Picture {
  const project = projects.store.find(id)
  const { icon, cover, screenshots } = project ? presentPictures(project) : NO_PICTURES
  const picture = [icon, cover, ...screenshots].find((it) => it?.picture_id === pictureId)
  if (!picture) throw notFound('Picture')
  return picture
}

const NO_PICTURES = { icon: null, cover: null, screenshots: [] }
