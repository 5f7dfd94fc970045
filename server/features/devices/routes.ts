import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { AppError } from '../../core/errors'
import type { TesterRecord } from '../../data/records/project-records'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { originAsked } from '../../http/pipeline/remote'
import { readBytes } from '../../http/endpoint/read-bytes'
import { secureOrigins } from '../../network/secure-origins'
import { cutText } from '../../texts/format'
import { requireTicket, ticketFor } from '../install/ticket'
import { projectPolicy } from '../projects/policy'
import {
  testerAudience,
  testerLinkEnded,
  unlockedAudience,
  type TesterAudience,
} from '../testers/tester-audience'
import { addedAddress } from '../testers/own-device'
import { readAnswer } from './read-answer'
import { writeProfile } from './write-profile'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

/** An answer has about 4 kB. */
const MOST_ANSWER = 64 * 1024
/** The longest name that Apple's site takes, in characters. */
const LONGEST_NAME = 50
/** What the ticket of a profile is for, in place of a file. */
const DEVICE = 'device'

/** The iPhones and iPads of testers: they send their identifiers, and members get the list. */
export function deviceRoutes(router: Router, context: Deps): void {
  const { projects, accounts } = context

  serveRaw(router, api.devices.profile, async (ctx, _caller, params) => {
    const { token } = parseInput(api.devices.profile.input, params)
    const audience = await testerAudience(context, ctx, token)
    sendProfile(context, ctx, audience)
  })

  serveRaw(router, api.devices.add, async (ctx, _caller, params) => {
    const { token } = parseInput(api.devices.add.input, params)
    // The ticket proves the password, which no device sends.
    const audience = unlockedAudience(context, token)
    const { link, project, base } = audience

    const { challenge, ...device } = await readAnswer(await readBytes(ctx, MOST_ANSWER))
    requireTicket(context, audience, DEVICE, challenge)
    if (!audience.holds()) throw testerLinkEnded()

    await projects.testers.addDevice(link.id, device)
    accounts.audit.record(ctx, { kind: 'device_add', subject: link.name, detail: project.title })
    // Devices follow no other redirect.
    ctx.status = 301
    // As the profile's own address: a proxy that ends TLS may not be trusted.
    const origin = secureOrigins(context.network, ctx).used ?? originAsked(ctx)
    ctx.redirect(addedAddress(origin + base, device.udid))
  })

  serveRaw(router, api.devices.list, async (ctx, { actor }, params) => {
    const { id, unconfirmed } = parseInput(api.devices.list.input, { ...ctx.query, ...params })
    const project = projectPolicy.require(actor, 'testers', projects.store.find(id))
    const devices = projects.testers
      .ofTarget(project.id)
      .filter((tester) => projects.testers.isCurrent(tester))
      .flatMap(({ name, devices = [] }) => devices.map((device) => ({ ...device, name })))
      .filter(({ isConfirmed }) => isConfirmed || unconfirmed)

    await context.transfers.delivery.sendWritten(ctx, Buffer.from(listDevices(devices)), {
      filename: 'devices.txt',
      type: 'text/tab-separated-values; charset=utf-8',
      modifiedAt: newestOf(devices) ?? project.createdAt,
    })
  })
}

function sendProfile(context: Deps, ctx: Context, audience: TesterAudience): void {
  const { project, base } = audience
  const { used } = secureOrigins(context.network, ctx)
  if (used === undefined)
    throw new AppError('not_supported', 'Devices send their identifiers over HTTPS only')

  ctx.type = 'application/x-apple-aspen-config'
  ctx.body = writeProfile({
    url: `${used}${base}/device`,
    challenge: ticketFor(context, audience, DEVICE),
    projectId: project.id,
    title: project.title,
    owner: context.accounts.users.nameOf(project.ownerId),
  })
}

type Listed = NonNullable<TesterRecord['devices']>[number] & Pick<TesterRecord, 'name'>

const newestOf = (devices: readonly Listed[]) =>
  devices
    .map(({ at }) => at)
    .sort()
    .at(-1)

/**
 * Writes devices as Apple's developer site and fastlane read them ("Register multiple devices",
 * Apple): columns with tabs in between, each device once.
 */
function listDevices(devices: readonly Listed[]): string {
  const rows = new Map<string, string>()
  for (const { name, udid, model } of devices)
    if (!rows.has(udid)) rows.set(udid, [toApple(udid), nameDevice(name, model), 'ios'].join('\t'))

  return ['Device ID\tDevice Name\tDevice Platform', ...rows.values(), ''].join('\n')
}

/** Newer identifiers have capital letters, and older ones small ones. */
const toApple = (udid: string) => (udid.includes('-') ? udid.toUpperCase() : udid)

const nameDevice = (name: string, model: string) =>
  `${cutText(name.replace(/\s+/g, ' '), LONGEST_NAME - model.length - 1)} ${model}`
