import type { Context } from 'koa'
import { expect, test } from 'vitest'
import type { Rooms } from '../../../server/compose/context'
import { AppError, ConnectionLost } from '../../../server/core/errors'
import { limitStrangers } from '../../../server/features/access-links/strangers'

const cut = Object.assign(new Error('cut'), { code: 'ECONNRESET' })

test.for([
  ['a refused request', new AppError('invalid_input', 'Write more')],
  ['a request that the network cut', cut],
  ['a lost connection', new ConnectionLost()],
] as const)('%s does not count', async ([, cause]) => {
  const rooms = { host: { limits: {} } } as unknown as Rooms<'host'>
  const limited = limitStrangers(rooms, { network: 1, link: 1 }, 'reports')
  const ctx = { state: { caller: { address: '192.0.2.1' } } } as unknown as Context

  await expect(limited(ctx, 'link', () => Promise.reject(cause))).rejects.toBe(cause)
  expect(await limited(ctx, 'link', () => Promise.resolve('arrived'))).toBe('arrived')
  await expect(limited(ctx, 'link', () => Promise.resolve())).rejects.toMatchObject({
    code: 'too_many_requests',
  })
})
