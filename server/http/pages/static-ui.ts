import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'koa'
import { sha256Of } from '../../core/sha256'
import type { Share } from '../../contract/host/host'
import { servingOf } from '../endpoint/serving'
import { markup, type Html } from './html'
import { fileLinks, fillTemplate, toTemplate, type PageHead, type Template } from './page-head'
import { pagePolicy } from './page-policy'

const compress = promisify<Buffer, Buffer>(gzip)

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.yml': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.tgz': 'application/gzip',
  '.sha256': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}
/** Built from renderer/visitor.html, and the files that pages of the app begin with. */
const BUILT = ['/visitor.html', '/page-files.json'] as const
const COMPRESSIBLE = /^(text|application)\/(?!gzip)|svg/

interface Asset {
  body: Buffer
  type: string
  etag: string
  br: Buffer | undefined
  /** Made for the first client that wants it: most of the pages are never asked for. */
  gzip?: Promise<Buffer>
}

export interface Visit {
  host: Share
  userAgent: string
  /** IP address of the client. */
  address: string
}

/** A page; 404 for an unknown address. */
export interface Page {
  head: PageHead
  status: 200 | 403 | 404 | 429 | 503
  /** The whole page, which starts the app later (renderer/visitor.html). */
  content?: Html | undefined
  /**
   * The route of the app, which starts at once in place of the content. No cache keeps the page: it
   * may be a person's own.
   */
  startsApp?: string
  /** The content stays: no script starts the app in its place, and no cache keeps it. */
  isFinal?: boolean
  /** The content stays, and has a script of its own (renderer/visitor/visitor.ts). */
  hasScript?: boolean
}

export interface Pages {
  /** Counts a request. Returns the page for those who open too many. */
  refuse(ctx: Context): Promise<Page | undefined>
  /**
   * The key of `SharedReplies` for a page that all visitors get alike; undefined for other pages.
   */
  keyOf(ctx: Context): string | undefined
  write(ctx: Context): Promise<Page>
}

/** The built UI. Without templates it is not built. */
interface Ui {
  assets: ReadonlyMap<string, Asset>
  policy?: string
  templates?: Record<'visitor' | 'final', Template> | undefined
  files: PageFiles
}

/** The files that a page of the app begins with, by route, and those of every page (`''`). */
type PageFiles = Partial<Record<string, readonly string[]>>

/**
 * Serves the built UI from memory (a few MB, loaded at the first request), and pages at all other
 * addresses.
 */
export function staticUi(folder: string, pages: Pages): (ctx: Context) => Promise<void> {
  let loading: Promise<Ui> | undefined
  return async (ctx) => {
    loading ??= loadUi(folder)
    const ui = await loading
    const { assets, policy = pagePolicy() } = ui

    const asset = assets.get(ctx.path)
    if (asset) return await sendAsset(ctx, asset)
    if (ctx.path.startsWith('/assets/')) return

    ctx.set('Content-Security-Policy', policy)
    const refused = await pages.refuse(ctx)
    if (refused) return sendPage(ctx, ui, refused)

    await servingOf(ctx).sharedReplies.answer(
      ctx,
      pages.keyOf(ctx),
      (body) => sendHtml(ctx, body),
      async () => sendPage(ctx, ui, await pages.write(ctx)),
    )
  }
}

async function sendAsset(ctx: Context, asset: Asset): Promise<void> {
  const hashed = ctx.path.startsWith('/assets/')

  ctx.set('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  ctx.set('ETag', asset.etag)
  ctx.vary('Accept-Encoding')

  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }

  ctx.set('Content-Type', asset.type)
  const { encoding, body } = await inBestEncoding(ctx, asset)
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = body
}

async function inBestEncoding(ctx: Context, asset: Asset) {
  const { body, type, br } = asset
  if (br && accepts(ctx, 'br')) return { encoding: 'br', body: br }
  if (!COMPRESSIBLE.test(type) || !accepts(ctx, 'gzip')) return { body }
  asset.gzip ??= compress(body)
  return { encoding: 'gzip', body: await asset.gzip }
}

const accepts = (ctx: Context, encoding: string) =>
  ctx.acceptsEncodings(encoding, 'identity') === encoding

async function sendPage(
  ctx: Context,
  { templates, files }: Ui,
  { head, status, content, startsApp, isFinal = false, hasScript = false }: Page,
): Promise<void> {
  ctx.status = templates ? status : 503
  const template = templates?.[isFinal && !hasScript ? 'final' : 'visitor']
  if (!template) return sendHtml(ctx, 'The pages are not built: run npm run build.')

  if (startsApp === undefined) {
    const body = fillTemplate(template, head, content)
    return sendHtml(ctx, body, isFinal ? 'no-store' : 'no-cache')
  }

  // After the first view, whose style must arrive first.
  const links = fileLinks([...new Set([...(files[''] ?? []), ...(files[startsApp] ?? [])])])
  const body = fillTemplate(template, head, markup`${content}${links}`)

  // The replies in it are long.
  ctx.vary('Accept-Encoding')
  if (!accepts(ctx, 'gzip')) return sendHtml(ctx, body, 'no-store')
  ctx.set('Content-Encoding', 'gzip')
  sendHtml(ctx, await compress(body), 'no-store')
}

function sendHtml(ctx: Context, body: Buffer | string, keeping = 'no-cache'): void {
  ctx.set({ 'Cache-Control': keeping, 'Content-Type': 'text/html; charset=utf-8' })
  ctx.body = body
}

async function loadUi(folder: string): Promise<Ui> {
  const assets = await loadAssets(folder)
  const [visitor, listed = '{}'] = BUILT.map((path) => assets.get(path)?.body.toString())
  for (const path of BUILT) assets.delete(path)

  const files = JSON.parse(listed) as PageFiles
  if (visitor === undefined) return { assets, files }

  const final = toTemplate(withoutScripts(visitor))
  // Browsers hash scripts after normalizing the line ends of Windows.
  const scripts = visitor.replaceAll('\r\n', '\n').matchAll(INLINE_SCRIPT)

  const policy = pagePolicy([...scripts].map(([, script = '']) => script))
  return {
    assets,
    policy,
    files,
    templates: { visitor: toTemplate(visitor), final },
  }
}

const INLINE_SCRIPT = /<script>(.*?)<\/script>/gs

const withoutScripts = (built: string) =>
  built.replace(/\s*(<script\b[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>)/gs, '')

async function loadAssets(folder: string): Promise<Map<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    () => [] as Dirent[],
  )

  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const paths = new Set(files)

  const own = files.filter((path) => !(path.endsWith('.br') && paths.has(path.slice(0, -3))))
  const loaded = await Promise.all(
    own.map(
      async (path) =>
        [path.slice(folder.length).replaceAll('\\', '/'), await loadAsset(path, paths)] as const,
    ),
  )

  return new Map(loaded)
}

/** The build writes compressed files next to the originals (scripts/build/brotli.ts). */
async function loadAsset(path: string, paths: ReadonlySet<string>): Promise<Asset> {
  const body = await readFile(path)
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  const etag = `"${sha256Of(body, 'base64url')}"`
  const br = paths.has(`${path}.br`) ? await readFile(`${path}.br`) : undefined
  return { body, type, etag, br }
}
