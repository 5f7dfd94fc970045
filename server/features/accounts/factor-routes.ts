import { randomBytes } from 'node:crypto'
import type Router from '@koa/router'
import { userIdOf, type Actor } from '../../access/actor'
import { sealText } from '../../access/sealed-text'
import type { Rooms } from '../../compose/context'
import { api, type Factors, type Passkey } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { serve, type Call } from '../../http/endpoint/serve'
import type { FactorRecord, PasskeyRecord, UserRecord } from '../../data/records/account-records'
import { relyingParties, requireRelyingParty } from '../factors/relying-party'
import { hasCodes } from '../factors/factor-store'
import { requireOpener } from './require-opener'
import { codesUrl, SECRET_BYTES, toBase32 } from '../factors/totp'

type FactorRooms = Rooms<'accounts' | 'data' | 'network'>

/**
 * The second factors of a person's own account. Who has just added or removed one is proved, and
 * all their other sessions end with the change.
 */
export function factorRoutes(router: Router, rooms: FactorRooms): void {
  const { factors, sessions } = rooms.accounts

  serve(router, api.factors.show, ({ actor }) => ({
    factors: presentFactors(factors.find(userIdOf(actor)), rooms.network),
  }))

  serve(router, api.factors.prove, async (call) => {
    await prove(rooms, call)
    await sessions.prove(call.ctx, userIdOf(call.actor))
    return {}
  })

  serve(router, api.factors.renewRecoveryCodes, async ({ actor, ctx }) => {
    const recoveryCodes = await factors.renewRecoveryCodes(userIdOf(actor))
    rooms.accounts.audit.record(ctx, { kind: 'factor_recovery' })
    return { recovery_codes: recoveryCodes }
  })

  codeRoutes(router, rooms)
  passkeyRoutes(router, rooms)
}

/** Codes of an app. Their secret is stored when the first code was right. */
function codeRoutes(router: Router, rooms: FactorRooms): void {
  const { accounts, data, network } = rooms
  const { audit, factors, factorCheck, sessions, tickets } = accounts

  serve(router, api.factors.beginCodes, ({ actor }) => {
    const user = requireUser(rooms, actor)
    if (factors.find(user.id).codes) throw hasCodes()

    const secret = randomBytes(SECRET_BYTES)
    const issuer = relyingParties(network)[0]?.id ?? data.settings.get().host_name
    return {
      setup: tickets.issue('codes', user.id, secret.toString('base64url')),
      secret: toBase32(secret),
      url: codesUrl(issuer.replaceAll(':', '') || 'Slipway', user.username, secret),
    }
  })

  serve(router, api.factors.addCodes, async ({ actor, input, ctx, address }) => {
    const user = requireUser(rooms, actor)
    const ticket = tickets.open('codes', input.setup)
    if (ticket?.userId !== user.id)
      throw new AppError('sign_in_expired', 'This took too long. Start again with a new QR code')

    const secret = Buffer.from(ticket.data, 'base64url')
    const step = await factorCheck.ofNewSecret(user, secret, input.code, address)
    if (step === undefined) {
      const message = 'That code is wrong. Check the time of your phone, and enter the next code'
      throw new AppError('bad_credentials', message, 'code')
    }

    const sealed = sealText(data.secrets.sessionKeys, ticket.data)
    const recoveryCodes = await factors.addCodes(
      user.id,
      { sealedSecret: sealed, lastStep: step },
      sessions.endingOthers(ctx, user.id, { isProved: true }),
    )
    audit.record(ctx, { kind: 'factor_add', detail: CODES })
    return { recovery_codes: recoveryCodes }
  })

  serve(router, api.factors.removeCodes, async ({ actor, ctx }) => {
    const userId = userIdOf(actor)
    await factors.removeCodes(userId, sessions.endingOthers(ctx, userId, { isProved: true }))
    audit.record(ctx, { kind: 'factor_remove', detail: CODES })
    return {}
  })
}

function passkeyRoutes(router: Router, rooms: FactorRooms): void {
  const { accounts, data } = rooms
  const { audit, factors, identities, passkeys, sessions, users } = accounts

  serve(router, api.factors.newPasskeyOptions, async ({ actor, ctx }) => {
    const party = requireRelyingParty(rooms.network, ctx)
    const options = await passkeys.creationOptions(party, requireUser(rooms, actor))
    return { options: { ...options } }
  })

  serve(router, api.factors.addPasskey, async ({ actor, input, ctx }) => {
    const party = requireRelyingParty(rooms.network, ctx)
    const { id } = requireUser(rooms, actor)
    const verified = await passkeys.verifyNew(party, id, input.response)
    const { passkey, recoveryCodes } = await factors.addPasskey(
      id,
      { ...verified, name: input.name },
      sessions.endingOthers(ctx, id, { isProved: true }),
    )

    audit.record(ctx, { kind: 'factor_add', detail: `passkey ${input.name}` })
    return { passkey: presentPasskey(passkey), recovery_codes: recoveryCodes }
  })

  serve(router, api.factors.renamePasskey, async ({ actor, input }) => ({
    passkey: presentPasskey(await factors.renamePasskey(userIdOf(actor), input.id, input.name)),
  }))

  serve(router, api.factors.removePasskey, async ({ actor, input, ctx }) => {
    const userId = userIdOf(actor)
    const { name } = await factors.removePasskey(
      userId,
      input.id,
      (left) => {
        const identity = identities.ofUser(userId, data.settings.get().sso_issuer)
        requireOpener(users.find(userId), [...left, ...(identity ? [identity] : [])])
      },
      sessions.endingOthers(ctx, userId, { isProved: true }),
    )
    audit.record(ctx, { kind: 'factor_remove', detail: `passkey ${name}` })
    return {}
  })
}

const CODES = 'codes of an app'

function requireUser({ accounts: { users } }: FactorRooms, actor: Actor): UserRecord {
  const user = users.find(userIdOf(actor))
  if (!user) throw notFound('User')
  return user
}

/** Throws `bad_credentials` unless the person proves again who they are. */
async function prove(
  rooms: FactorRooms,
  {
    actor,
    input,
    ctx,
    address,
    atWindow,
  }: Call<{
    code?: string | undefined
    passkey?: Record<string, unknown> | undefined
    password?: string | undefined
  }>,
): Promise<void> {
  const { accounts, network } = rooms
  const { factors, factorCheck, requirePassword, audit } = accounts
  const user = requireUser(rooms, actor)

  if (atWindow || !factors.has(user.id)) {
    await requirePassword(user, input.password ?? '', address)
    return
  }

  const isRight = input.passkey
    ? await factorCheck.byPasskey(user, requireRelyingParty(network, ctx), input.passkey, address)
    : await factorCheck.byCode(user, input.code ?? '', address)
  if (isRight) return

  audit.record(ctx, { kind: 'sign_in_failed', concerns: user.id, subject: user.username })
  if (input.passkey) throw new AppError('bad_credentials', 'This passkey is not one of yours')
  throw new AppError('bad_credentials', 'That code is wrong, or was used before', 'code')
}

const presentFactors = (
  { codes, passkeys, recoveryHashes }: FactorRecord,
  network: FactorRooms['network'],
): Factors => ({
  codes: codes && { created_at: codes.createdAt, last_used_at: codes.lastUsedAt },
  passkeys: passkeys.map(presentPasskey),
  recovery_codes_left: recoveryHashes.length,
  passkey_origins: relyingParties(network).map(({ origin }) => origin),
})

const presentPasskey = ({ id, name, rpId, createdAt, lastUsedAt }: PasskeyRecord): Passkey => ({
  passkey_id: id,
  name,
  host: rpId,
  created_at: createdAt,
  last_used_at: lastUsedAt,
})
