import { expect } from 'vitest'
import { errorStatus, type ErrorCode } from '../../../server/contract'

/** Status and JSON body of a response. */
export async function replyOf(
  responding: Response | Promise<Response>,
): Promise<{ status: number; body: unknown }> {
  const response = await responding
  return { status: response.status, body: await response.json() }
}

/**
 * The whole reply of a refused request; matches with `toEqual`. Without `field`, there must be
 * none.
 */
export const problem = (code: ErrorCode, field?: string) => ({
  status: errorStatus[code],
  body: {
    success: false,
    error: expect.any(String) as string,
    code,
    ...(field === undefined ? {} : { field }),
  },
})

/** The same as a client throws it; matches with `rejects.toMatchObject`. */
export const refusal = (code: ErrorCode, field?: string) => ({
  status: errorStatus[code],
  code,
  field,
})

/** The init of a request that carries JSON. */
export const json = (
  method: 'POST' | 'PUT',
  body: unknown,
  headers: Record<string, string> = {},
): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
