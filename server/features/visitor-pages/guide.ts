import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rooms } from '../../compose/context'
import { routes, withBrand } from '../../contract/routes'
import { once } from '../../http/pages/html'
import type { Page } from '../../http/pages/static-ui'
import { renderFramed, renderNotice } from './frame'
import type { LightPage } from './lists'

const loadPage = once(() => import('../../../renderer/visitor/guide/guide-page'))

/** The page with the contents of the guide. */
const FIRST = 'README'
/** A line of the contents: `1. [Title](page.md): what it is about`. */
const ENTRY = /^\d+\. \[([^\]]+)\]\(([\w-]+)\.md\): (.+)$/gm
/** A link to a page or a picture of the guide, or to a document beside it, sent as it is. */
const LINK = /\]\((\.\.\/)?([\w/-]+)(\.md|\.webp)\)/g
/** The host in the commands of the guide. */
const EXAMPLE = 'https://builds.example'

interface GuideVisit {
  /** The address of this host in the commands. */
  origin: string
  /** The address of the page. */
  url: string
  isSignedIn: boolean
}

/** Renders a page of the guide, or the contents if `name` is undefined. */
export async function guidePage(
  context: Rooms<'host'>,
  name: string | undefined,
  visit: GuideVisit,
): Promise<Page> {
  const page = await readGuide(context, name, visit)
  const { title = 'Page not found', description = 'The guide has no such page.' } = page ?? {}
  const head = { title: withBrand(title), description, url: visit.url }
  if (page) return { status: 200, head, content: page.content, isFinal: true }

  const action = { label: 'Open the guide', address: routes.guide }
  const content = await renderNotice(context.host, { title, text: description, action })
  return { status: 404, head, content, isFinal: true }
}

/** Undefined if the guide has no such page, or if the UI is not built. */
async function readGuide(
  { host }: Rooms<'host'>,
  name: string | undefined,
  { origin, isSignedIn }: GuideVisit,
): Promise<LightPage | undefined> {
  const first = await readText(host.uiDir, FIRST)
  const pages = [...first.matchAll(ENTRY)].map(([, title = '', page = '', about = '']) => ({
    title,
    address: `${routes.guide}/${page}`,
    about,
    name: page,
  }))
  const page = pages.find((candidate) => candidate.name === name)
  if (first === '' || (name !== undefined && !page)) return undefined

  const text = page ? await readText(host.uiDir, page.name) : first
  const [heading = '', ...lines] = text.split('\n')
  const title = heading.replace('# ', '')
  const { GuidePage } = await loadPage()

  const props = {
    title,
    text: withAddresses(lines.join('\n'), origin),
    origin,
    pages,
    current: pages.findIndex((candidate) => candidate === page),
  }
  return {
    title: page ? `${title} · Guide` : title,
    description:
      page?.about ?? 'How to publish builds, share them and deliver updates with Slipway',
    content: await renderFramed(host, GuidePage, props, isSignedIn),
  }
}

/** A text that the build has put beside the UI; empty if it has not. */
const readText = (uiDir: string, name: string): Promise<string> =>
  readFile(join(uiDir, 'guide', `${name}.md`), 'utf8').catch(() => '')

const withAddresses = (text: string, origin: string): string =>
  text
    .replace(LINK, (_, above: string | undefined, path: string, extension: string) => {
      const isPage = above === undefined && extension === '.md'
      return `](${origin}${routes.guide}/${path}${isPage ? '' : extension})`
    })
    .replaceAll(EXAMPLE, origin)
