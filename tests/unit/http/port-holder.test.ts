import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { holderText, inLsof, inNetstat, listeningSockets, portHolder } from '../../../server/http/listen/port-holder'

test.runIf(process.platform === 'linux').each(['127.0.0.1', '0.0.0.0', '::'])(
  'who listens on %s is found by the real system',
  async (host) => {
    const server = createServer()
    await once(server.listen(0, host), 'listening')
    const { port } = server.address() as AddressInfo
    expect(await portHolder(port)).toEqual({ name: basename(process.execPath), pid: process.pid })
    server.close()
    await once(server, 'close')
    expect(await portHolder(port)).toBeUndefined()
  },
)

test('a connection to a port is no listener, and another port is another', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:12AC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0',
    '   1: 0100007F:12AC 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0 20 4 30 10 -1',
    '   2: 00000000:12AD 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1 0 100 0 0 10 0',
  ].join('\n')
  expect(listeningSockets(table, 4780)).toEqual(['111'])
  expect(listeningSockets(table, 80)).toEqual([])
})

test('lsof and netstat are read as they write', () => {
  expect(inLsof('p1234\ncControlCenter\nf10\n')).toEqual({ name: 'ControlCenter', pid: 1234 })
  expect(inLsof('')).toBeUndefined()
  const netstat = [
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    127.0.0.1:14780        0.0.0.0:0              ABHÖREN          7',
    '  TCP    127.0.0.1:4780         127.0.0.1:50000        HERGESTELLT      8',
    '  TCP    [::]:4780              [::]:0                 ABHÖREN          4321',
  ].join('\r\n')
  expect(inNetstat(netstat, 4780)).toBe(4321)
  expect(inNetstat(netstat, 4781)).toBeUndefined()
})

test('an unknown one is another program', () => {
  expect(holderText({ name: 'nginx', pid: 7 })).toBe('nginx (process 7)')
  expect(holderText(undefined)).toBe('another program')
})
