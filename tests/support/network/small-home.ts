import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import { expect, vi } from 'vitest'
import type { InternetView } from '../../../server/contract'
import type { RouterAccess } from '../../../server/features/internet/needs'
import { test as base } from '../world/http'
import type { Person, TestServer } from '../world/test-server'
import { aTunnel } from './outside'
import { SmallAuthority } from '../internet/small-authority'
import { SmallRouter } from '../internet/small-router'
import { routersAt } from './small-routers'

/** The address that the small router has on the internet, and that of a visitor there. */
export const NUMBER = '11.77.0.10'
const VISITOR = '11.77.0.50'

/** In ms. */
const PATIENCE = { timeout: 30_000, interval: 50 }

/**
 * `test` with a small router that people outside could come through, and an authority that
 * certifies.
 */
const withRouter = base.extend<{ router: SmallRouter; authority: SmallAuthority }>({
  router: async ({}, use) => {
    const router = await SmallRouter.start({ outerAddress: NUMBER })
    await use(router)
    await router.close()
  },
  authority: async ({ clock }, use) => {
    const authority = await new SmallAuthority().open()
    authority.now = clock.now
    await use(authority)
    authority.close()
  },
})

/** `test` with a host in a home with a small router and an authority. */
export const test = withRouter.extend({
  config: { rateLimits: true },
  settings: async (
    { authority }: { authority: SmallAuthority },
    use: (settings: object) => Promise<void>,
  ) => use({ acme_directory: authority.directory, stun_server: '', port: 4780 }),
  routers: async (
    { router }: { router: SmallRouter },
    use: (routers: RouterAccess) => Promise<void>,
  ) => use(routersAt(router)),
})

/** Opens the host through its router, and waits for the outcome. */
export async function opened({ client }: Person): Promise<InternetView> {
  await client.internet.open({ way: 'router', terms_accepted: true })
  return settled({ client })
}

/** The view once nothing is being opened or checked. */
export async function settled({ client }: Pick<Person, 'client'>): Promise<InternetView> {
  return vi.waitFor(async () => {
    const { internet } = await client.internet.show({})
    expect(['opening', 'checking']).not.toContain(internet.state)
    return internet
  }, PATIENCE)
}

interface Asking {
  from?: string
  method?: string
  secure?: boolean
  /** JSON, to post. */
  body?: string
}

/** Asks through the outside door, as a visitor from the internet or from the own network. */
export async function ask(
  server: TestServer,
  path: string,
  { from = VISITOR, method = 'GET', secure = true, body }: Asking = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const port = await aTunnel(server, from)
  const headers = {
    host: NUMBER,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const sends = body === undefined ? method : 'POST'
  const at = { host: '127.0.0.1', port, path, method: sends, headers, agent: false as const }
  // The certificate is of the time of the test.
  const sent = secure
    ? https.request({ ...at, servername: '', rejectUnauthorized: false })
    : http.request(at)
  sent.on('socket', (socket) =>
    socket.on('secureConnect', () => expect(certifiedBy(socket)).toContain(NUMBER)),
  )
  sent.end(body)
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) }
}

const certifiedBy = (socket: unknown) =>
  socket instanceof TLSSocket ? socket.getPeerCertificate().subjectaltname : ''
