import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { linkEnded } from '../../access/link-ended'
import { AppError } from '../../core/errors'
import type { FileRequestRecord, Received } from '../../data/records/file-records'
import { callerOf, type Caller } from '../../http/endpoint/call'
import { findLock } from '../access-links/link-calls'
import { noRoom } from './file-request-store'

type Deps = Rooms<'accounts' | 'files'>

/** The path of the page of a file request. */
export const requestPath = (token: string): string => `/u/${encodeURIComponent(token)}`

/**
 * Finds a file request that has not expired, before its password. Undefined for an unknown one, and
 * one of a disabled account.
 */
export function findRequest(
  { accounts, files }: Deps,
  token: string,
): FileRequestRecord | undefined {
  const request = files.fileRequests.current(token)
  return request && accounts.users.isActive(request.ownerId) ? request : undefined
}

/** The same, if it takes another file. */
export function findOpenRequest(context: Deps, token: string): FileRequestRecord | undefined {
  const request = findRequest(context, token)
  return request && context.files.fileRequests.isActive(request) ? request : undefined
}

/**
 * Makes the holder of a file request the caller. `find`: which requests count. Throws `not_found`,
 * the same for a missing or wrong password, `too_many_requests` and `busy`.
 */
export async function requireSender(
  context: Deps,
  ctx: Context,
  token: string,
  find = findOpenRequest,
): Promise<FileRequestRecord> {
  const lock = findLock(token, find(context, token))
  if (!(await context.accounts.linkPasswords.isProved(ctx, lock))) throw linkEnded()

  // The request can end during the check.
  const request = find(context, token)
  if (!request) throw linkEnded()

  const { accounts, files } = context
  const holds = () => files.fileRequests.holds(request) && accounts.users.isActive(request.ownerId)
  const actor = { kind: 'sender', linkId: request.id } as const
  ctx.state.caller = { ...callerOf(ctx), actor, holds } satisfies Caller
  return request
}

/** Runs an upload. An error about the owner's storage becomes one that does not tell of it. */
export async function hideStorage<Result>(
  upload: Promise<Result>,
  instead = noRoom,
): Promise<Result> {
  return upload.catch((cause: unknown) => {
    throw cause instanceof AppError && cause.code === 'quota_exceeded' ? instead() : cause
  })
}

/** What a record keeps of a sender. */
export const toReceived = (
  { id, name }: FileRequestRecord,
  sender: Pick<Received, 'from' | 'message'>,
): Received => ({ requestId: id, request: name, from: sender.from, message: sender.message })
