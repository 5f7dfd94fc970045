import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, REPORTS_PER_HOUR } from '../../contract'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { callerOf, requireStillHeld } from '../../http/endpoint/call'
import { readBody } from '../../http/endpoint/read-json'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { RateLimit } from '../../http/pipeline/rate-limit'
import { hideStorage } from '../file-requests/sender'
import { linkAddress } from '../../network/link-address'
import { receiveForm, type ReceiveDeps } from './receive-form'
import { keepAll, receiveReport } from './receive-report'
import {
  enterAsTester,
  enterAsVisitor,
  noRoomForReport,
  reportPath,
  requireReporter,
  type Door,
  type OwnReport,
} from './reporter'
import { reporterUploadRoutes } from './reporter-uploads'

type Deps = ReceiveDeps & Rooms<'host' | 'network'>

const HOUR_S = 3600
const ofReporter = api.reports.addFile.input

/** What people without an account do: report, answer, and add files. */
export function reporterRoutes(router: Router, context: Deps): void {
  sendRoutes(router, context)
  answerRoute(router, context)
  fileRoute(router, context)
  reporterUploadRoutes(router, context)
}

/** Takes a report of a network and by a link or page; gives it back if it fails. */
function limitReports({ host }: Rooms<'host'>) {
  const refusal = 'Too many reports in this hour; try again later'
  const networks = new RateLimit(REPORTS_PER_HOUR.network, HOUR_S, refusal)
  const links = new RateLimit(REPORTS_PER_HOUR.link, HOUR_S, refusal)

  return async <Result>(
    ctx: Context,
    { audience, testerId }: Door,
    work: () => Promise<Result>,
  ) => {
    if (!host.limits) return work()
    const network = toNetwork(callerOf(ctx).address)
    const link = testerId ?? audience.project.id
    await networks.take(network)

    try {
      await links.take(link)
      return await work()
    } catch (cause) {
      // Failed ones cost an upload of the network.
      if (cause instanceof AppError && cause.code !== 'too_many_requests')
        await Promise.all([networks.giveBack(network), links.giveBack(link)])
      throw cause
    }
  }
}

function sendRoutes(router: Router, context: Deps): void {
  const { sendAsVisitor, sendAsTester } = api.reports
  const limited = limitReports(context)

  const send = async (ctx: Context, form: string, enter: () => Promise<Door> | Door) => {
    try {
      const door = await enter()
      const { key, report, problem } = await limited(ctx, door, () =>
        hideStorage(receiveReport(context, ctx, door), noRoomForReport),
      )

      const { title } = door.audience.project
      context.accounts.audit.record(ctx, {
        kind: 'report_create',
        subject: title,
        detail: report.kind,
      })
      const page = reportPath(key)

      if (isBrowser(ctx)) return goTo(ctx, problem ? `${page}?problem=${problem.code}` : page)
      ctx.status = 201
      replyToCall(ctx, sendAsVisitor, { url: linkAddress(context.network, page) })
    } catch (cause) {
      tellProblem(ctx, form, cause)
    }
  }

  serveRaw(router, sendAsVisitor, async (ctx, _caller, params) => {
    const { id } = parseInput(sendAsVisitor.input.pick({ id: true }), params)
    await send(ctx, `/p/${encodeURIComponent(id)}/report`, () => enterAsVisitor(context, id))
  })

  serveRaw(router, sendAsTester, async (ctx, _caller, params) => {
    const { token } = parseInput(sendAsTester.input.pick({ token: true }), params)
    const form = `/t/${encodeURIComponent(token)}/report`
    await send(ctx, form, () => enterAsTester(context, ctx, token))
  })
}

function answerRoute(router: Router, context: Deps): void {
  const { answer } = api.reports
  serveRaw(router, answer, async (ctx, _caller, params) => {
    const { reportToken } = parseInput(ofReporter, params)
    const page = reportPath(reportToken)
    try {
      const { report } = requireReporter(context, ctx, reportToken)
      const { text } = parseInput(answer.input, { ...(await readBody(ctx)), ...params })
      requireStillHeld(ctx)
      const replied = context.projects.reports.reply(report.id, text, undefined)
      await hideStorage(replied, noRoomForReport)
      goTo(ctx, page)
    } catch (cause) {
      tellProblem(ctx, page, cause)
    }
  })
}

/** Receives one file by a form. */
function fileRoute(router: Router, context: Deps): void {
  serveRaw(router, api.reports.addFile, async (ctx, _caller, params) => {
    const { reportToken } = parseInput(ofReporter, params)
    const page = reportPath(reportToken)
    try {
      const own = requireReporter(context, ctx, reportToken)
      await hideStorage(receiveOne(context, ctx, own), noRoomForReport)
      goTo(ctx, page)
    } catch (cause) {
      tellProblem(ctx, page, cause)
    }
  })
}

async function receiveOne(context: Deps, ctx: Context, { report, project }: OwnReport) {
  await using form = await receiveForm(context, ctx, project, report)
  const { attachments, problem } = await keepAll(context, project.ownerId, form.sent)
  if (problem) throw problem
  const [attachment] = attachments
  if (!attachment) throw new AppError('file_missing', 'Choose a file that is not empty', 'file')

  try {
    await context.data.library.transact((tx) => {
      requireStillHeld(ctx)
      context.projects.reports.attach(tx, report.id, attachment)
    })
  } catch (cause) {
    // After an I/O error keep the bytes; startup recovery decides.
    if (cause instanceof AppError) await context.attachments.discard([attachment])
    throw cause
  }
}

const isBrowser = (ctx: Context): boolean => ctx.get('accept').includes('text/html')

function goTo(ctx: Context, address: string): void {
  ctx.status = 302
  ctx.redirect(address)
}

/** A browser is redirected to a page that says what is wrong; a program gets the error. */
function tellProblem(ctx: Context, page: string, cause: unknown): void {
  if (!(cause instanceof AppError) || !isBrowser(ctx)) throw cause
  goTo(ctx, `${page}?problem=${cause.code}`)
}
