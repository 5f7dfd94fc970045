import { Writable } from 'node:stream'
import type { Context } from 'koa'
import { endsWithin } from '../../core/deadline'
import { AppError } from '../../core/errors'
import { servingOf } from './serving'
import { whileResting } from '../listen/connections'
import { continueBody, pumpBody } from '../receive/pump-body'

/**
 * Reads a small body whole. `most`: bytes. Throws `too_large` and `request_timeout`, and ECONNRESET
 * for one that is cut short.
 */
export async function readBytes(ctx: Context, most: number): Promise<Buffer> {
  if (Number(ctx.get('content-length') || 0) > most) throw tooLarge()

  continueBody(ctx)
  const chunks: Buffer[] = []
  let left = most

  const into = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      left -= chunk.length
      done(left < 0 ? tooLarge() : null)
    },
  }).on('error', () => undefined)

  const { bodyMs } = servingOf(ctx).patience
  const isWhole = await whileResting(ctx.req, endsWithin(bodyMs, pumpBody(ctx.req, into)))
  if (!isWhole)
    throw new AppError('request_timeout', 'The body did not arrive in time; send it again')
  return Buffer.concat(chunks)
}

const tooLarge = () => new AppError('too_large', 'The request is larger than the host accepts')
