import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresAwayError } from '../../../server/data/postgres/lease-errors'
import { asAppError, logOthers } from '../../../server/http/pipeline/problems'
import { TestLog } from '../../support/world/test-log'

test('an error outside the pipeline, to which Koa replies with 500, is in the log', async () => {
  const log = new TestLog()
  const app = new Koa()
  logOthers(app, log)
  const err = new Error('before the pipeline')
  app.use(() => {
    throw err
  })
  const answer = app.callback()
  const server = createServer((request, response) => void answer(request, response)).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => void server.close())
  await once(server, 'listening')

  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  expect(reply.status).toBe(500)
  expect(log.takeErrors()).toEqual([{ message: 'error outside the pipeline', err }])
})

test.each([
  [Object.assign(new Error('chmod'), { code: 'EROFS' }), 'read_only'],
  [Object.assign(new Error('write'), { code: 'EIO', syscall: 'write' }), 'read_only'],
  [Object.assign(new Error('write'), { code: 'EDQUOT' }), 'disk_full'],
  [new PostgresAwayError(), 'busy'],
  [Object.assign(new Error('read'), { code: 'EIO', syscall: 'read' }), 'internal'],
])('says why a disk or PostgreSQL refuses: %s is %s', (cause, code) => {
  expect(asAppError(cause, new TestLog())).toMatchObject({ code })
})
