import { askHttp } from './ask-http'
import { elements, findText } from './xml'

const WAN = /^urn:schemas-upnp-org:service:WAN(IPConnection:[12]|PPPConnection:1)$/
const PINHOLES = /^urn:schemas-upnp-org:service:WANIPv6FirewallControl:1$/
const MAX_NAME = 60

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
  /** Where to connect instead of the URL's host. */
  host?: string
  patienceMs: number
  signal?: AbortSignal
}

/** Fetches and reads a description. Throws if it is none of a router that opens ports. */
export async function describeIgd({ location, ...how }: At): Promise<IgdDescription> {
  const { status, body } = await askHttp({ url: location, ...how })
  if (status !== 200) throw new Error(`The router does not describe itself (${status})`)
  const description = readDescription(body, location)
  if (description.wan.length === 0) throw new Error('This device opens no ports')
  return description
}

/** Reads a description. Ignores services that it places on another host. */
export function readDescription(xml: string, location: URL): IgdDescription {
  const base = findText(xml, 'URLBase')

  const services = elements(xml, 'service')
    .map((service) =>
      parseService(service, base !== undefined && URL.canParse(base) ? new URL(base) : location),
    )
    .filter(
      (service) => service?.url.protocol === 'http:' && service.url.hostname === location.hostname,
    )
    .filter((service) => service !== undefined)

  return {
    name: printable(findText(xml, 'friendlyName')),
    wan: services.filter(({ type }) => WAN.test(type)),
    pinholes: services.find(({ type }) => PINHOLES.test(type)),
  }
}

function parseService(xml: string, base: URL): Service | undefined {
  const type = findText(xml, 'serviceType')
  const path = findText(xml, 'controlURL')
  if (type === undefined || path === undefined || !URL.canParse(path, base)) return undefined
  return { type, url: new URL(path, base) }
}

function printable(text = ''): string | null {
  const name = text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
  return name === '' ? null : name
}
