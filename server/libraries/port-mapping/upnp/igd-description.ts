import { readXml } from '../../../core/xml'
import { askHttp } from './ask-http'

const WAN = /^urn:schemas-upnp-org:service:WAN(IPConnection:[12]|PPPConnection:1)$/
const PINHOLES = /^urn:schemas-upnp-org:service:WANIPv6FirewallControl:1$/
const MAX_NAME = 60
const MOST_SERVICES = 100
/** Elements whose first text counts: that of the whole device. */
const FIRST = new Set(['URLBase', 'friendlyName'])

/** A service of a router, and the URL that takes its actions. */
export interface Service {
  type: string
  url: URL
}

/** A router as it describes itself (UPnP Device Architecture §2.3). */
export interface IgdDescription {
  name: string | null
  /** Routers with several uplinks have several. */
  wan: readonly Service[]
  pinholes: Service | undefined
}

interface At {
  location: URL
  /** This computer's address. */
  from: string
  /** Host to connect to, instead of the URL's. */
  host?: string
  patienceMs: number
  signal?: AbortSignal
}

/** Fetches and reads a description. Throws if the device is no router that opens ports. */
export async function describeIgd({ location, ...how }: At): Promise<IgdDescription> {
  const { status, body } = await askHttp({ url: location, ...how })
  if (status !== 200) throw new Error(`The router does not describe itself (${status})`)
  const description = readDescription(body, location)
  if (description.wan.length === 0) throw new Error('This device opens no ports')
  return description
}

/** Reads a description. Ignores services that it places on another host. */
export function readDescription(xml: string, location: URL): IgdDescription {
  const texts = new Map<string, string>()
  const places: { type?: string; path?: string }[] = []

  readXml(xml, {
    open: ({ name }) => {
      if (name === 'service' && places.length < MOST_SERVICES) places.push({})
    },
    close: ({ name, text, parent }) => {
      const place = parent?.name === 'service' ? places.at(-1) : undefined
      if (place && name === 'serviceType') place.type = text
      if (place && name === 'controlURL') place.path = text
      if (!texts.has(name) && FIRST.has(name)) texts.set(name, text)
    },
  })

  const named = texts.get('URLBase')
  const base = named !== undefined && URL.canParse(named) ? new URL(named) : location
  const services = places.flatMap(({ type, path }): Service[] => {
    if (type === undefined || path === undefined || !URL.canParse(path, base)) return []
    const url = new URL(path, base)
    return url.protocol === 'http:' && url.hostname === location.hostname ? [{ type, url }] : []
  })

  return {
    name: printable(texts.get('friendlyName')),
    wan: services.filter(({ type }) => WAN.test(type)),
    pinholes: services.find(({ type }) => PINHOLES.test(type)),
  }
}

function printable(text = ''): string | null {
  const name = text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
  return name === '' ? null : name
}
