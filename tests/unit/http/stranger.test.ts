import type { Context } from 'koa'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { strangerOf } from '../../../server/http/pipeline/identify'

const socket = new Socket()
const ask = (address: string, browser: string, connection = socket) =>
  strangerOf({
    req: { socket: connection },
    state: { remote: { address } },
    get: () => browser,
  } as unknown as Context)

test('a proxy sends several visitors through one connection, and one visitor has several connections', () => {
  const alice = ask('192.0.2.1', 'Firefox')
  const others = [ask('192.0.2.2', 'Firefox'), ask('192.0.2.1', 'Safari')]

  expect(new Set([alice, ...others]).size).toBe(3)
  expect(ask('192.0.2.1', 'Firefox')).toBe(alice)
  expect(ask('192.0.2.1', 'Firefox', new Socket())).toBe(alice)
})
