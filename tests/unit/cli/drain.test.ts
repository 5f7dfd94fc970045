import { expect, test } from 'vitest'
import { drainFrom } from '../../../server/cli/options'
import { takePassedSocket } from '../../../server/http/listen/passed-socket'

test('downloads go on for 15 minutes where systemd keeps the port, and not at all elsewhere', () => {
  expect(drainFrom(undefined, true)).toBe(900_000)
  expect(drainFrom(undefined, false)).toBe(0)
  expect(drainFrom('90s', true)).toBe(90_000)
  expect(drainFrom('24h', true)).toBe(86_400_000)
  expect(drainFrom('0s', true)).toBe(0)
  for (const input of ['', '15', '15 m', '-1s', '1d', '25h', '99999m'])
    expect(() => drainFrom(input, true)).toThrow('such as 90s or 15m')
  expect(() => drainFrom('90s', false)).toThrow('slipway.socket')
})

test('a socket counts only for the process that systemd names, and for no program that it starts', () => {
  const env = { LISTEN_PID: '7', LISTEN_FDS: '1' }
  expect(takePassedSocket(env, 7)).toBe(3)
  expect(env).toEqual({})
  expect(takePassedSocket({ LISTEN_PID: '8', LISTEN_FDS: '1' }, 7)).toBeUndefined()
  expect(takePassedSocket({}, 7)).toBeUndefined()
  expect(() => takePassedSocket({ LISTEN_PID: '7', LISTEN_FDS: '2' }, 7)).toThrow(
    'names 2 addresses',
  )
})
