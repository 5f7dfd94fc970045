import { escapeXml } from '../../../core/escape-xml'
import { findElements } from '../../../core/xml'
import { askHttp } from './ask-http'
import type { Service } from './igd-description'
import { toMappingError, MappingError } from '../mapping-error'

/** Slow routers write each change to flash memory first. */
const PATIENCE_MS = 4000
const DEFAULT_ERROR = 501

/** The fields of an action, in the order of its specification, which some routers require. */
export type Fields = Readonly<Record<string, string | number>>

interface Caller {
  /** This computer's address. */
  from: string
  /** Host to connect to, instead of the URL's. */
  host?: string | undefined
}

/**
 * Runs an action of UPnP (Device Architecture §3.2). Returns a function that reads the fields of
 * the reply. Throws MappingError with the router's code, or `silent`.
 */
export async function callAction(
  { from, host }: Caller,
  { type, url }: Service,
  action: string,
  fields: Fields = {},
): Promise<(name: string) => string> {
  const values = Object.entries(fields).map(
    ([name, value]) => `<${name}>${escapeXml(value)}</${name}>`,
  )

  const call = `<u:${action} xmlns:u="${type}">${values.join('')}</u:${action}>`
  const soap = { action: `${type}#${action}`, body: envelope(call) }

  const { status, body } = await askHttp({ url, from, host, soap, patienceMs: PATIENCE_MS }).catch(
    (err: unknown) => {
      throw new MappingError(
        'silent',
        `The router does not answer: ${err instanceof Error ? err.message : String(err)}`,
      )
    },
  )

  const read = (name: string) => findElements(body, name)[0]?.text
  if (status !== 200) throw toMappingError('upnp', Number(read('errorCode') ?? DEFAULT_ERROR))
  return (name) => read(name) ?? ''
}

const envelope = (body: string) =>
  '<?xml version="1.0"?>\r\n<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" ' +
  `s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">` +
  `<s:Body>${body}</s:Body></s:Envelope>\r\n`
