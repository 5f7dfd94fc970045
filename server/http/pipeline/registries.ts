import type { Context, Middleware } from 'koa'
import type { ErrorCode } from '../../contract'
import { AppError } from '../../core/errors'

const IMAGES = /^\/v2\//
const NPM = /^\/[pt]\/[^/]+\/feeds\/npm\/(.*)$/
/** The requests of `npm audit`. */
const AUDIT = /^-\/npm\/v1\/security\//

/**
 * Handles requests of registry clients besides reading: redirects `npm audit` to the registry of
 * other packages, and refuses publishing with an explanation.
 */
export const refuseWrites =
  (npmRegistry: () => string): Middleware =>
  (ctx) => {
    const [, path] = NPM.exec(ctx.path) ?? []

    if (ctx.method === 'POST' && path !== undefined && AUDIT.test(path) && npmRegistry() !== '') {
      ctx.redirect(`${npmRegistry()}/${path}`)
      ctx.status = 308
      return
    }

    if ((path !== undefined || IMAGES.test(ctx.path)) && !['GET', 'HEAD'].includes(ctx.method))
      throw new AppError(
        'not_supported',
        'This registry is only read: publish with slipway push',
        undefined,
        { Allow: 'GET, HEAD' },
      )
    throw new AppError('not_found', 'This API call does not exist')
  }

const CODES: Partial<Record<ErrorCode, string>> = {
  not_supported: 'UNSUPPORTED',
  sign_in_required: 'UNAUTHORIZED',
  bad_credentials: 'UNAUTHORIZED',
  bad_api_key: 'UNAUTHORIZED',
  forbidden: 'DENIED',
  too_many_requests: 'TOOMANYREQUESTS',
}

/**
 * The body of an error for clients of containers (OCI Distribution 1.1, "Error Codes"); undefined:
 * for others.
 */
export function describeRegistryError({ path }: Context, error: AppError): object | undefined {
  const { code, message } = error
  if (!IMAGES.test(path)) return undefined
  const [, kind] = /\/(manifests|blobs)\/[^/]+$/.exec(path) ?? []
  const unknown =
    kind === undefined ? 'NAME_UNKNOWN' : kind === 'blobs' ? 'BLOB_UNKNOWN' : 'MANIFEST_UNKNOWN'
  const name = CODES[code] ?? (code === 'not_found' ? unknown : undefined)
  return name === undefined
    ? undefined
    : { ...error.toProblem(), errors: [{ code: name, message }] }
}
