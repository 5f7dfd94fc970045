import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as a mailbox has it. */
interface Received {
  to: string
  from: string
  headers: Map<string, string>
  /** Decoded. */
  text: string
  raw: string
}

interface Answers {
  /** The user and password that it asks for. */
  login?: readonly [user: string, password: string]
  /** The error code for a recipient; undefined: it takes the mail. */
  refuse?: (to: string, count: number) => number | undefined
  /** What it says then. */
  words?: string
  /** A mail is acknowledged after this, or refused by its error. */
  after?: (count: number) => Promise<unknown> | undefined
}

/** A mail server on this computer that keeps what it gets. */
export async function aMailServer({ login, refuse, words = 'No', after }: Answers = {}) {
  const got: Received[] = []
  let asked = 0

  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: login === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === login?.[0] && password === login?.[1]) done(null, { user: username })
      else done(new Error('Wrong user or password'))
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = refuse?.(address, ++asked)
      done(responseCode === undefined ? null : Object.assign(new Error(words), { responseCode }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address).join(', ')
        got.push({ to, from, ...parse(Buffer.concat(chunks).toString()) })
        void Promise.resolve(after?.(got.length)).then(() => done(), done)
      })
    },
  })
  server.on('error', () => undefined)

  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', () => done()))
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((done) => server.close(() => done()))
  // Tests in Vitest and in Playwright use it: it ends with their process.
  server.server.unref()

  const settings = {
    mail_server: '127.0.0.1',
    mail_port: port,
    mail_security: 'none',
    mail_from: 'builds@example.org',
    mail_user: login?.[0] ?? '',
  } as const
  return { got, settings, close }
}

/** Parses a mail of one part (RFC 5322, RFC 2045). */
function parse(raw: string): Pick<Received, 'headers' | 'text' | 'raw'> {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.replace(/^[^:]*: ?/, ''),
      ]),
  )
  const text = body.join('\r\n\r\n')
  const isQuoted = headers.get('content-transfer-encoding') === 'quoted-printable'
  return { headers, raw, text: (isQuoted ? unquote(text) : text).replaceAll('\r\n', '\n') }
}

const unquote = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString()

/** The path of the first link in a mail that begins so. */
export function linkIn({ text }: { text: string }, begins: string): string {
  const found = new RegExp(`https?://[^/\\s]+(${begins}\\S*)`).exec(text)?.[1]
  if (found === undefined) throw new Error(`No link ${begins} in ${text}`)
  return found.replace(/\.$/, '')
}
