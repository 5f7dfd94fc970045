import { VISITOR } from '../../access/actor'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { sendDocument } from '../../http/send/send-document'
import { publicAudience, type Audience } from '../releases/audience'
import { actAsTester, testerAudience } from '../testers/tester-audience'
import { EMPTY, EMPTY_DIGEST } from './artifact'
import { findBlob, findManifest, findTagged, listTags } from './images'
import { IMAGE_INDEX } from './oci-archive'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'repositories' | 'transfers'>

const NO_REFERRERS = JSON.stringify({ schemaVersion: 2, mediaType: IMAGE_INDEX, manifests: [] })
const DIGEST = 'Docker-Content-Digest'

/**
 * Serves a container registry for visitors and testers (OCI Distribution 1.1, "Pull" and "Content
 * discovery").
 */
export function registryRoutes(router: Router, context: Deps): void {
  serve(router, api.registry.ping, () => ({}))

  serveRaw(router, api.registry.read, async (ctx, _caller, params) => {
    const { path } = parseInput(api.registry.read.input, { ...ctx.query, ...params })
    const [, name = '', kind, reference = ''] =
      /^(.+)\/(manifests|blobs|tags|referrers)\/([^/]+)$/.exec(path) ?? []

    const audience = await enter(context, ctx, name)

    if (kind === 'manifests') return sendManifest(context, ctx, audience, reference)
    if (kind === 'blobs') return sendBlob(context, ctx, audience, reference)
    // No image here refers to another one.
    if (kind === 'referrers') return sendDocument(ctx, IMAGE_INDEX, NO_REFERRERS)
    if (reference !== 'list') throw notFound('Image')
    return sendTags(ctx, name, listTags(audience))
  })
}

/** Sends a page of the sorted tags: at most `n`, after `last`. */
function sendTags(ctx: Context, name: string, all: readonly string[]): void {
  const { n, last } = ctx.query
  const after = typeof last === 'string' ? all.filter((tag) => tag > last) : all
  const tags = typeof n === 'string' && /^\d{1,9}$/.test(n) ? after.slice(0, Number(n)) : after
  const end = tags.at(-1)
  if (end !== undefined && tags.length < after.length) {
    const query = new URLSearchParams({ n: String(tags.length), last: end })
    ctx.set('Link', `</v2/${name}/tags/list?${query}>; rel="next"`)
  }
  sendDocument(ctx, 'application/json', JSON.stringify({ name, tags }))
}

/**
 * Enters a project by its image name. Everyone gets what visitors get. Tokens are in hexadecimal,
 * because image names have no capital letters.
 */
async function enter(context: Deps, ctx: Context, name: string): Promise<Audience> {
  const [, hex] = /^t\/((?:[0-9a-f]{2})+)$/.exec(name) ?? []
  if (hex === undefined) return publicAudience(context, VISITOR, name)
  const token = Buffer.from(hex, 'hex').toString('utf8')
  return actAsTester(ctx, await testerAudience(context, ctx, token))
}

async function sendManifest(context: Deps, ctx: Context, audience: Audience, reference: string) {
  const find = reference.includes(':') ? findManifest : findTagged
  const manifest = await find(context, audience, reference)
  if (!manifest) throw notFound('Image')

  ctx.set(DIGEST, manifest.digest)
  sendDocument(ctx, manifest.type, manifest.content)
}

async function sendBlob(context: Deps, ctx: Context, audience: Audience, digest: string) {
  const { delivery } = context.transfers
  if (digest === EMPTY_DIGEST) return sendDocument(ctx, 'application/octet-stream', EMPTY)

  const blob = await findBlob(context, audience, digest)
  if (!blob) throw notFound('Image')

  const { file, part } = blob
  ctx.set(DIGEST, digest)

  if (part) return delivery.sendSlice(ctx, file, part)
  return delivery.send(ctx, file, { projectId: audience.project.id })
}
