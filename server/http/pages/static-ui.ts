import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { withHead, type Opening, type PageHead } from './page-head'

const compress = promisify<Buffer, Buffer>(gzip)

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}
const COMPRESSIBLE = /^(text|application)\/|svg/

interface Asset {
  body: Buffer
  compressed: { br?: Buffer; gzip?: Buffer }
  type: string
  etag: string
}

/** A page that the UI renders; 404 for an unknown address. */
export interface Page {
  head: PageHead
  status: 200 | 404
  opening?: Opening | undefined
  /** The page's name in `page-files.json`, whose files are preloaded. */
  code?: string | undefined
}

/**
 * Serves the built UI from memory (a few MB, loaded at the first request), and the index page for all other addresses.
 */
export function staticUi(folder: string, pageAt: (ctx: Context) => Page): Middleware {
  let loading: Promise<Map<string, Asset>> | undefined
  return async (ctx, next) => {
    if (!['GET', 'HEAD'].includes(ctx.method) || /^\/api(\/|$)/.test(ctx.path)) {
      await next()
      return
    }
    loading ??= loadAssets(folder)
    const assets = await loading
    const asset = ctx.path === '/index.html' ? undefined : assets.get(ctx.path)
    if (asset) return sendAsset(ctx, asset)
    if (ctx.path.startsWith('/assets/')) return
    sendPage(ctx, assets, pageAt(ctx))
  }
}

function sendAsset(ctx: Context, asset: Asset): void {
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
  const { encoding, body } = inBestEncoding(ctx, asset)
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = body
}

function inBestEncoding(ctx: Context, { body, compressed }: Asset) {
  for (const encoding of ['br', 'gzip'] as const) {
    const smaller = compressed[encoding]
    if (smaller && ctx.acceptsEncodings(encoding, 'identity') === encoding) return { encoding, body: smaller }
  }
  return { body }
}

function sendPage(ctx: Context, assets: ReadonlyMap<string, Asset>, { head, status, opening, code }: Page): void {
  const index = assets.get('/index.html')
  ctx.status = index ? status : 503
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = index
    ? withHead(index.body.toString(), { head, opening, files: filesOf(assets, code) })
    : 'The pages are not built: run npm run build.'
}

/** Reads `page-files.json` (scripts/build/page-files.ts). */
function filesOf(assets: ReadonlyMap<string, Asset>, code: string | undefined): string[] {
  const list = assets.get('/page-files.json')
  if (code === undefined || !list) return []
  const files = JSON.parse(list.body.toString()) as Record<string, string[]>
  return (files[code] ?? []).map((name) => `/${name}`)
}

async function loadAssets(folder: string): Promise<Map<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [] as Dirent[])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const known = new Set(files)
  const own = files.filter((path) => !(path.endsWith('.br') && known.has(path.slice(0, -3))))
  const loaded = await Promise.all(
    own.map(async (path) => [path.slice(folder.length).replaceAll('\\', '/'), await loadAsset(path, known)] as const),
  )
  return new Map(loaded)
}

/** The build puts compressed files beside the originals (scripts/build/brotli.ts). */
async function loadAsset(path: string, known: ReadonlySet<string>): Promise<Asset> {
  const body = await readFile(path)
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const compressed: Asset['compressed'] = COMPRESSIBLE.test(type) ? { gzip: await compress(body) } : {}
  if (known.has(`${path}.br`)) compressed.br = await readFile(`${path}.br`)
  return { body, type, etag, compressed }
}
