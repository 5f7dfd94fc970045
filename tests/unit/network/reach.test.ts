import { get } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EVERYWHERE, HERE, isReached, Reach } from '../../../server/network/reach'
import { Connections } from '../../../server/http/listen/connections'
import { Listener } from '../../../server/http/listen/listener'
import { usualPatience } from '../../../server/http/listen/patience'
import { TestLog } from '../../support/world/test-log'

/**
 * Every Linux has the whole of 127.0.0.0/8; these stand for the machine's addresses on two
 * networks.
 */
const [WIFI, CABLE] = ['127.0.0.2', '127.0.0.3']

const connections = new Connections({
  most: 100,
  perAddress: () => undefined,
  isProxy: () => false,
  windowSecret: null,
  log: new TestLog(),
})
let present: string[]
let listener: Listener
let reach: Reach

beforeEach(() => {
  present = [WIFI, CABLE]
  listener = new Listener(() => (_request, response) => response.end('ahoy'), {
    connections,
    patience: usualPatience,
  })
  reach = new Reach({
    bound: listener.bound,
    listen: (next) => listener.listen(next),
    present: () => present,
  })
})
afterEach(() => listener.close(0))

/** The addresses at which the host answers. */
async function answering(): Promise<string[]> {
  const addresses = [HERE, WIFI, CABLE]
  const answers = await Promise.all(addresses.map(answersAt))
  return addresses.filter((_, index) => answers[index])
}

const answersAt = (host: string) =>
  new Promise<boolean>((resolve) => {
    const request = get({ host, port: listener.bound().port, agent: false }, (reply) =>
      reply.resume().on('end', () => resolve(true)),
    )
    request.on('error', () => resolve(false))
  })

test('on all networks, on chosen ones, and on this computer only, at one port', async () => {
  const { port } = await reach.listen(EVERYWHERE, 0)
  expect(await answering()).toEqual([HERE, WIFI, CABLE])
  await reach.listen(EVERYWHERE, port, [CABLE])
  expect(await answering()).toEqual([HERE, CABLE])
  await reach.listen(HERE, port)
  expect(await answering()).toEqual([HERE])
  expect(reach.isShared).toBe(false)
  expect(listener.bound().port).toBe(port)
})

test('stops listening on a chosen address that disappears, and listens again when it returns', async () => {
  await reach.listen(EVERYWHERE, 0, [WIFI])
  present = []
  await reach.follow()
  expect(await answering()).toEqual([HERE])
  expect(reach).toMatchObject({ isShared: true, awaited: [WIFI] })
  expect(isReached(listener.bound())).toBe(false)
  present = [WIFI]
  await reach.follow()
  expect(await answering()).toEqual([HERE, WIFI])
})

test('reports that the chosen addresses are missing, and keeps listening as before', async () => {
  await reach.listen(HERE, 0)
  let told = 0
  reach.onChange(() => told++)
  present = []
  await reach.listen(EVERYWHERE, listener.bound().port, [WIFI, CABLE])
  expect(told).toBe(1)
  expect(reach).toMatchObject({ isShared: true, awaited: [WIFI, CABLE] })
  await reach.listen(HERE, listener.bound().port)
  expect(told).toBe(2)
  expect(reach.awaited).toEqual([])
})

test('where one of the addresses cannot be listened on, everything stays as it was', async () => {
  const { port } = await reach.listen(EVERYWHERE, 0, [WIFI])
  present = [CABLE, '192.0.2.77']
  await expect(reach.listen(EVERYWHERE, port, [CABLE, '192.0.2.77'])).rejects.toThrow(
    'no address 192.0.2.77',
  )
  expect(await answering()).toEqual([HERE, WIFI])
  expect(reach.only).toEqual([WIFI])
})
