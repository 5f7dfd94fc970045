import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { formatCount } from '../../texts/format'
import { AppError } from '../../core/errors'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { sendDocument } from '../../http/send/send-document'
import { drawBadge } from './badge'
import { CARD_POLICY, writeCard } from './card'
import { findPreviewPicture } from '../projects/presenter'
import { PRODUCT_PICTURE } from '../../http/pages/page-head'
import { findFace, type Face } from './face'
import { findPreview } from './preview'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'pictures' | 'projects'>

/** Badges, cards and link previews of public projects, for other sites. */
export function embedRoutes(router: Router, context: Deps): void {
  serveRaw(router, api.embeds.badge, (ctx, _caller, params) => {
    const { id, metric } = parseInput(api.embeds.badge.input, { ...ctx.query, ...params })
    const face = faceOrNone(context, id)

    openToAll(ctx)
    sendFound(
      ctx,
      face,
      'image/svg+xml; charset=utf-8',
      drawBadge(metric, face && writeValue(face, metric)),
    )
    return Promise.resolve()
  })

  serveRaw(router, api.embeds.card, (ctx, _caller, params) => {
    const { id } = parseInput(api.embeds.card.input, params)
    const face = faceOrNone(context, id)
    openToAll(ctx)

    ctx.remove('X-Frame-Options')
    ctx.set('Content-Security-Policy', CARD_POLICY)
    sendFound(ctx, face, 'text/html; charset=utf-8', writeCard(face))
    return Promise.resolve()
  })

  serveRaw(router, api.embeds.preview, async (ctx, { address }, params) => {
    const { id, version } = parseInput(api.embeds.preview.input, { ...ctx.query, ...params })
    const face = findFace(context, id)
    const preview = findPreview(context, face, version)

    openToAll(ctx)
    const wish = { projectId: face.view.project.id, isOfRelease: version !== undefined, address }
    const drawn = preview && (await context.pictures.previews.get({ ...preview, ...wish }))

    if (drawn) return sendDocument(ctx, 'image/png', drawn)
    ctx.redirect((findPreviewPicture(face.view) ?? PRODUCT_PICTURE).path)
  })
}

/** Returns undefined if visitors cannot see such a project. */
function faceOrNone(context: Deps, idOrSlug: string): Face | undefined {
  try {
    return findFace(context, idOrSlug)
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'not_found') return undefined
    throw cause
  }
}

function writeValue({ project, version }: Face, metric: 'version' | 'downloads'): string {
  if (metric === 'downloads') return formatCount(project.stats.total_downloads)
  if (version === null) return 'none'
  return /^\d/.test(version) ? `v${version}` : version
}

function sendFound(ctx: Context, face: Face | undefined, type: string, content: string): void {
  sendDocument(ctx, type, content)
  if (!face && ctx.status === 200) ctx.status = 404
}

/** Lets pages of other sites load the response. */
const openToAll = (ctx: Context) => ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
