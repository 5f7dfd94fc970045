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
import { realDisk } from '../../../server/core/durable-file'
import { Connections } from '../../../server/http/listen/connections'
import { usualPatience } from '../../../server/http/listen/patience'
import { OutsideDoor } from '../../../server/http/listen/outside-door'
import { PublicCertificate } from '../../../server/network/tls/public-certificate'
import { Pebble } from '../../support/internet/pebble'
import { trust } from '../../support/internet/small-authority'
import { HOUR } from '../../support/world/test-clock'
import { TestLog } from '../../support/world/test-log'

const NAME = 'builds.example.net'
const ADDRESS = '127.0.0.1'
const everyWay = [NAME, ADDRESS].flatMap((subject) => [
  { subject, by: 'tls' as const },
  { subject, by: 'http' as const },
])

describe.skipIf(cannotUnpack)(
  `Pebble${cannotUnpack === undefined ? '' : ` (not run: ${cannotUnpack})`}`,
  () => {
    const log = new TestLog()
    const connections = new Connections({
      most: 100,
      perAddress: () => undefined,
      isProxy: () => false,
      windowSecret: null,
      log,
    })
    const door = new OutsideDoor(() => (_request, response) => response.end('ahoy'), {
      connections,
      patience: usualPatience,
    })
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

    const started = async (subject: string) => {
      const certificate = new PublicCertificate({
        dataDir: folder,
        disk: realDisk,
        log,
        clock: realSources,
        door,
      })
      await certificate.load(subject, pebble.directory)
      return certificate
    }
    const order = (certificate: PublicCertificate, subject = NAME, by: 'tls' | 'http' = 'tls') => {
      const { directory } = pebble
      const { signal } = new AbortController()
      return certificate.order({
        subject,
        directory,
        email: 'ann@example.com',
        agreesToTerms: true,
        by,
        signal,
      })
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

    test.each(everyWay)(
      'certifies $subject by $by, renews it, and visitors verify it',
      async ({ subject, by }) => {
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
      },
    )

    test.each(['tls', 'http'] as const)(
      'cannot connect to a closed door by %s, and says so',
      async (by) => {
        const { port } = door
        await door.close(0)
        const failure = {
          isConnection: true,
          detail: expect.stringMatching(/refused|failed to connect/i) as string,
        }
        await expect(order(await started(NAME), NAME, by)).rejects.toMatchObject(failure)
        await door.open(port)
      },
    )

    test('is not trusted without its root: the log says why', async () => {
      distrust()
      const certificate = await started(NAME)
      await expect(order(certificate)).rejects.toMatchObject({ type: 'unreachable' })
      expect(certificate.problem).toMatch(
        /cannot connect to 127.0.0.1:\d+ \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
      )
      distrust = trust(pebble.ca)
    })
  },
)
