import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { withBrand } from '../../contract'
import { AppError } from '../../core/errors'
import type { Page, Visit } from '../../http/pages/static-ui'
import { strangerOf } from '../../http/pipeline/identify'
import { originAsked, remoteOf, userAgentOf } from '../../http/pipeline/remote'
import { findOwnDevice } from '../testers/own-device'
import {
  requireTesterLink,
  testerOrPreview,
  type PreviewAudience,
  type TesterAudience,
} from '../testers/tester-audience'
import { askedPage } from './access-pages'
import { endedPage, passwordPage, renderNotice } from './frame'
import { installPage, presentDevice } from './install'
import { presentTester } from './notice-page'
import { previewPage } from './preview-page'
import { projectPage } from './project'
import { reportFormPage } from './report-form'

type Deps = Rooms<
  'accounts' | 'data' | 'files' | 'host' | 'network' | 'notices' | 'projects' | 'transfers'
>

/**
 * The pages of a tester link: its own, the list of releases, a release, the install page, or the
 * form of a report. Group 1 is the token; the next two belong to releases.
 */
const PATTERN = /^\/t\/([^/]+)(?:\/(releases)(?:\/([^/]+))?|\/install|\/report)?\/?$/
const REPORT = /^\/t\/[^/]+\/report\/?$/
const INSTALL = /^\/t\/[^/]+\/install\/?$/

/**
 * Renders the pages of tester links. Returns undefined at other addresses. The page of a closed
 * link never names its project; the page that asks for a password names its owner.
 */
export const testerPage =
  (context: Deps) =>
  async (ctx: Context): Promise<Page | undefined> => {
    const token = PATTERN.exec(ctx.path)?.[1]
    if (token === undefined) return undefined
    const audience = await testerOrPreview(context, ctx, token).catch((cause: unknown) => {
      if (cause instanceof AppError) return cause
      throw cause
    })
    if (!(audience instanceof AppError)) return renderOpened(context, ctx, audience)
    if (audience.code === 'not_found')
      return (await askedPage(context, ctx, token)) ?? endedPage(context.host, ctx)

    const { ownerId } = requireTesterLink(context, token).project
    return passwordPage(context, ctx, audience.code, { path: `/t/${token}`, ownerId })
  }

async function renderOpened(
  context: Deps,
  ctx: Context,
  audience: TesterAudience | PreviewAudience,
): Promise<Page> {
  const ended = endedPage(context.host, ctx)
  if (REPORT.test(ctx.path)) return (await formPage(context, ctx, audience)) ?? ended

  const link = 'preview' in audience ? audience.preview : audience.link
  const origin = originAsked(ctx)

  const visit = {
    host: { url: origin, reachable: true },
    userAgent: userAgentOf(ctx),
    address: remoteOf(ctx).address,
  }
  if (ctx.method === 'GET') context.files.counts.accessLinkOpened(strangerOf(ctx), link.id)
  const { title, description, content, ...also } = await ('preview' in audience
    ? previewPage(context, ctx, audience, visit)
    : renderPage(context, ctx, audience, visit))

  const head = { title: withBrand(title), description, url: origin + ctx.path }
  const hasScript = 'hasScript' in also && also.hasScript
  if (content) return { status: 200, head, content, isFinal: true, hasScript }

  return {
    status: 404,
    head,
    content: await renderNotice(context.host, {
      title,
      text: description,
      action: { label: 'Show the project', address: audience.base },
    }),
    isFinal: true,
  }
}

function formPage(context: Deps, ctx: Context, audience: TesterAudience | PreviewAudience) {
  if (!('preview' in audience)) return reportFormPage(context, ctx, audience)
  return reportFormPage(context, ctx, audience, audience.buildNames)
}

async function renderPage(context: Deps, ctx: Context, audience: TesterAudience, visit: Visit) {
  const { link } = audience
  if (INSTALL.test(ctx.path)) {
    return installPage(context, audience, {
      ...{ ...visit, ctx, atWindow: false, isSignedIn: false },
      phone: { udid: findOwnDevice(ctx, audience)?.udid, registration: `${audience.base}#device` },
    })
  }

  // The origin check of the form that removes it needs an origin.
  if (link.took || link.asked || link.devices) ctx.set('Referrer-Policy', 'same-origin')

  const [, , releases, version] = PATTERN.exec(ctx.path) ?? []
  const address = {
    version,
    isList: releases !== undefined && version === undefined,
    query: ctx.query,
  }
  const tester = await presentTester(context, ctx, audience)
  const { content, ...rest } = projectPage(context, audience, address, {
    ...tester,
    device: await presentDevice(context, ctx, audience),
  })

  const hasScript = releases === undefined && tester.notify.view.push !== null
  return { ...rest, hasScript, content: content && (await content(visit)) }
}
