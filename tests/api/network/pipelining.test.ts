import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { isThreeHosts } from '../../support/cluster/three-hosts'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** A connection that counts the replies it gets, and keeps their text. */
function aConnection({ port }: TestServer) {
  const socket: Socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const got = { text: '' }
  socket
    .on('error', () => undefined)
    .on('data', (bytes: Buffer) => (got.text += bytes.toString('latin1')))
  const statuses = () =>
    [...got.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  return { socket, statuses }
}

const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`
const body = '{"username":"nobody","password":"wrong"}\r\n\r\n'
const json = 'Content-Type: application/json\r\n'
const login = head('POST /api/auth/login', `${json}Content-Length: ${body.length}\r\n`) + body
const chunked = `${head('POST /api/auth/login', `${json}Transfer-Encoding: chunked\r\n`)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

test('answers pipelined requests in order, however their bytes arrive', async ({ server }) => {
  const check = head('GET /api/auth/check').replace('127.0.0.1', `127.0.0.1:${server.port}`)
  const missing = check.replace('/api/auth/check', '/api/nowhere')
  const wrong = [login, chunked].map((text) =>
    text.replace('Host: 127.0.0.1', `Host: 127.0.0.1:${server.port}`),
  )
  const sent = `\r\n\r\n${check}${wrong[0]}${missing}${wrong[1]}${check}`
  for (const size of [sent.length, 7]) {
    const { socket, statuses } = aConnection(server)
    for (let at = 0; at < sent.length; at += size) socket.write(sent.slice(at, at + size))
    await expect.poll(statuses).toEqual([200, 401, 404, 401, 200])
  }
})

// There a balancer is in between.
test.skipIf(isThreeHosts)('pipelined requests let others in between', async ({ server }) => {
  const request = head('GET /api/auth/check').replace('127.0.0.1', `127.0.0.1:${server.port}`)
  const flood = Array.from({ length: 20 }, () => aConnection(server))
  for (const { socket } of flood) socket.write(request.repeat(500))
  const replies = () => flood.reduce((sum, { statuses }) => sum + statuses().length, 0)
  await expect.poll(replies).toBeGreaterThan(20)

  const before = replies()
  await server.fetch('/api/auth/check')
  expect(replies() - before).toBeLessThan(2000)
})
