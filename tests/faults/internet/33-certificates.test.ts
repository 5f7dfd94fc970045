import { once } from 'node:events'
import { get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { realSources } from '../../../server/core/clock'
import { realDisk } from '../../../server/data/durable-file'
import { Connections } from '../../../server/http/listen/connections'
import { usualPatience } from '../../../server/http/listen/patience'
import { OutsideDoor } from '../../../server/http/listen/outside-door'
import { challengeCertificate } from '../../../server/network/tls/acme/acme-certificates'
import type { Pair } from '../../../server/network/tls/certificate'
import { PublicCertificate } from '../../../server/network/tls/public-certificate'
import { Pebble } from '../../support/internet/pebble'
import { trust } from '../../support/internet/small-authority'
import { HOUR } from '../../support/test-clock'
import { TestLog } from '../../support/test-log'

const NAME = 'builds.example.net'
const ADDRESS = '127.0.0.1'
const everyWay = [NAME, ADDRESS].flatMap((subject) => [
  { subject, by: 'tls' as const },
  { subject, by: 'http' as const },
])

describe.skipIf(cannotUnpack)(`Pebble${cannotUnpack === undefined ? '' : ` (not run: ${cannotUnpack})`}`, () => {
  const log = new TestLog()
  const connections = new Connections({
    most: 100,
    perAddress: () => undefined,
    isProxy: () => false,
    isWindow: () => false,
    log,
  })
  const door = new OutsideDoor((_request, response) => response.end('ahoy'), { connections, patience: usualPatience })
  let pebble: Pebble
  let distrust: () => void
  let folder: string

  beforeAll(async () => {
    const port = await door.open()
    pebble = await Pebble.open({ ports: { tls: port, http: port } })
    distrust = trust(pebble.ca)
  })
  afterAll(async () => {
    distrust()
    await pebble.close()
    await door.close(0)
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-certificates-'))
    return () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  const started = async (subject: string, at: object = {}) => {
    const needs = { dataDir: folder, disk: realDisk, log, clock: realSources, door: shown(door, at) }
    const certificate = new PublicCertificate(needs)
    await certificate.load(subject, pebble.directory)
    return certificate
  }
  const order = (certificate: PublicCertificate, subject = NAME, by: 'tls' | 'http' = 'tls') => {
    const { directory } = pebble
    const { signal } = new AbortController()
    return certificate.order({ subject, directory, email: 'ann@example.com', agreesToTerms: true, by, signal })
  }
  /** The certificate that a visitor gets, who checks it against the root of the authority. */
  const visited = async (subject: string, ca: string) => {
    const isName = subject === NAME
    const servername = isName ? { servername: NAME } : {}
    const request = get({ host: ADDRESS, port: door.port, ca, agent: false, ...servername })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const certificate = (response.socket as TLSSocket).getPeerX509Certificate()
    expect((response.socket as TLSSocket).authorized).toBe(true)
    response.resume()
    return certificate?.serialNumber
  }

  test.each(everyWay)('certifies $subject by $by, renews it, and visitors verify it', async ({ subject, by }) => {
    const certificate = await started(subject)
    expect(await order(certificate, subject, by)).toEqual({ isProof: true })
    const serial = await visited(subject, await pebble.root())
    const { from, until } = certificate.current!
    expect(Date.parse(until) - Date.parse(from)).toBeCloseTo(160 * HOUR, -4)

    door.offer(undefined)
    await started(subject)
    expect(await visited(subject, await pebble.root())).toBe(serial)

    await order(certificate, subject, by)
    expect(await visited(subject, await pebble.root())).not.toBe(serial)
  })

  test('relies on an earlier validation, which proves nothing', async () => {
    await pebble.start({ reused: 100 })
    const certificate = await started(NAME)
    expect(await order(certificate)).toEqual({ isProof: true })
    expect(await order(certificate)).toEqual({ isProof: false })
    await pebble.start()
  })

  test('is down: the old certificate serves, and the next order is due in an hour', async () => {
    const certificate = await started(NAME)
    await order(certificate)
    const root = await pebble.root()
    const serial = await visited(NAME, root)
    await pebble.stop()
    await expect(order(certificate)).rejects.toMatchObject({ type: 'unreachable', isConnection: false })
    expect(await visited(NAME, root)).toBe(serial)
    const due = (await started(NAME)).due.getTime() - Date.now()
    expect(due).toBeGreaterThan(0.9 * HOUR)
    expect(await visited(NAME, root)).toBe(serial)
    await pebble.start()
  })

  test.each([
    ['tls', /Incorrect validation certificate|acmeValidationV1|digest/i],
    ['http', /did not match|does not match/i],
  ] as const)('refuses a wrong answer by %s in its own words', async (by, words) => {
    const pair = challengeCertificate(NAME, 'wrong', new Date())
    const answers = {
      proveByTls: (given: Pair | undefined) => door.proveByTls(given && pair),
      proveByHttp: (given: { token: string } | undefined) =>
        door.proveByHttp(given && { token: given.token, content: 'wrong' }),
    }
    const certificate = await started(NAME, answers)
    await expect(order(certificate, NAME, by)).rejects.toMatchObject({ type: 'unauthorized', isConnection: false })
    expect(certificate.problem).toMatch(words)
  })

  test.each(everyWay)('cannot connect to a closed door for $subject by $by, and says so', async ({ subject, by }) => {
    const { port } = door
    await door.close(0)
    const failure = { isConnection: true, detail: expect.stringMatching(/refused|failed to connect/i) as string }
    const certificate = await started(subject)
    await expect(order(certificate, subject, by)).rejects.toMatchObject(failure)
    await door.open(port)
  })

  test('asks for the agreement to its terms', async () => {
    const certificate = await started(NAME)
    const { directory } = pebble
    const { signal } = new AbortController()
    const refused = certificate.order({
      subject: NAME,
      directory,
      email: null,
      agreesToTerms: false,
      by: 'tls',
      signal,
    })
    await expect(refused).rejects.toMatchObject({ detail: expect.stringMatching(/terms/i) as string })
  })

  test('is not trusted without its root: the log says why', async () => {
    distrust()
    const certificate = await started(NAME)
    await expect(order(certificate)).rejects.toMatchObject({ type: 'unreachable' })
    expect(certificate.problem).toMatch(/cannot connect to 127.0.0.1:\d+ \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/)
    distrust = trust(pebble.ca)
  })
})

/** A door with some answers of the test. */
const shown = (door: OutsideDoor, answers: object) => ({
  offer: (pair: Pair | undefined) => door.offer(pair),
  proveByTls: (pair: Pair | undefined) => door.proveByTls(pair),
  proveByHttp: (answer: { token: string; content: string } | undefined) => door.proveByHttp(answer),
  ...answers,
})
