import type { SettingsData } from '../../data/settings/settings-schema'
import { withoutUnseen } from '../../contract'
import { errorCode } from '../../core/durable-file'
import { cutText } from '../../texts/format'

/** How long a mail server may take to answer, in ms. */
const PATIENCE_MS = 15_000
const LONGEST_PROBLEM = 300

/** A mail in plain text to one address. */
export interface Mail {
  /** Names the mail: a mailbox drops the same one that comes twice. */
  id: string
  to: string
  subject: string
  text: string
  /** Where one click ends these mails (RFC 8058): a whole address. */
  endUrl?: string | undefined
}

/**
 * What became of a notice. `refused`: it would never be taken; `isOfAddress`: because of the
 * address, as its server says. `later`: try again; `rests`: nothing
 * else would be taken now, either.
 */
export type Outcome =
  | { result: 'sent' | 'gone' }
  | { result: 'refused'; problem: string; isOfAddress?: boolean }
  | { result: 'later'; problem: string; rests: boolean; retryAfterMs?: number | undefined }

interface MailerDeps {
  settings: () => Readonly<SettingsData>
  password: () => string | undefined
  /** Where others reach this host, for the names of mails. */
  origin: () => string
}

/** Hands mails to the mail server of the host settings. */
export class Mailer {
  /** Why the last mail was not taken; null: it was. */
  problem: string | null = null

  constructor(private readonly deps: MailerDeps) {}

  isOn(): boolean {
    const { mail_server: server, mail_from: from } = this.deps.settings()
    return server !== '' && from !== ''
  }

  /** Sends a mail once. Never throws. */
  async send(mail: Mail): Promise<Outcome> {
    const outcome = await this.#handOver(mail)
    this.problem = 'problem' in outcome ? outcome.problem : null
    return outcome
  }

  async #handOver({ id, to, subject, text, endUrl }: Mail): Promise<Outcome> {
    const { mail_from: from, host_name: name } = this.deps.settings()
    // Large, and few hosts send mail.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport(this.#server())
    const { hostname, protocol } = new URL(endUrl ?? this.deps.origin())

    try {
      await transport.sendMail({
        from: { name: name || 'Slipway', address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        messageId: `<${id}@${hostname.replace(/^\[|\]$/g, '')}>`,
        subject,
        text,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(endUrl !== undefined && { 'List-Unsubscribe': `<${endUrl}>` }),
          // RFC 8058 allows it for https only.
          ...(endUrl !== undefined &&
            protocol === 'https:' && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return { result: 'sent' }
    } catch (cause) {
      return judge(cause, this.deps.settings().mail_server)
    } finally {
      transport.close()
    }
  }

  #server() {
    const { mail_server, mail_port, mail_security, mail_user } = this.deps.settings()
    return {
      host: mail_server,
      port: mail_port,
      secure: mail_security === 'tls',
      requireTLS: mail_security === 'starttls',
      ignoreTLS: mail_security === 'none',
      ...(mail_user !== '' && { auth: { user: mail_user, pass: this.deps.password() ?? '' } }),
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      dnsTimeout: PATIENCE_MS,
      socketTimeout: 2 * PATIENCE_MS,
    }
  }
}

const words: Readonly<Record<string, string>> = {
  EAUTH: 'it refused the user or the password',
  EDNS: 'its name could not be looked up',
  ETLS: 'it offers no encryption, or its certificate is wrong',
  ETIMEDOUT: 'it did not answer in time',
  ECONNECTION: 'the connection failed',
  ESOCKET: 'the connection failed',
}

/** The parts of an error of nodemailer. */
interface SmtpProblem {
  command?: unknown
  responseCode?: unknown
  response?: unknown
}

/** Whether an answer says that an address takes no mail (RFC 3463 §3.2). 7 and 8 are of senders. */
const isOfAddress = (said: string): boolean => /^: \d{3}[ -]5\.1\.(?:[1-6]|10)\b/.test(said)

function judge(cause: unknown, server: string): Outcome {
  const { command, responseCode, response } = Object(cause) as SmtpProblem
  const code = errorCode(cause) ?? ''
  const said = typeof response === 'string' ? `: ${response}` : ''
  const reason = words[code] ?? 'it did not take the mail'
  const detail = cause instanceof Error && said === '' ? `: ${cause.message}` : said
  const problem = cutText(
    withoutUnseen(`${server}: ${reason}${detail}`).replace(/\s+/g, ' ').toWellFormed(),
    LONGEST_PROBLEM,
  )

  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  const isFinal = typeof responseCode === 'number' && responseCode >= 500
  if (isAboutMail && isFinal) return { result: 'refused', problem, isOfAddress: isOfAddress(said) }
  return { result: 'later', problem, rests: !isAboutMail }
}
