import type { IncomingMessage } from 'node:http'
import type { RouterState } from './small-router-state'

const DEVICE = 'urn:schemas-upnp-org:device:InternetGatewayDevice'
const SERVICE = 'urn:schemas-upnp-org:service:WANIPConnection'

/** Answers a search (UPnP Device Architecture §1.3.3). */
export function answerSearch(router: RouterState, request: string): string | undefined {
  const target = /^ST: *(\S+)/im.exec(request)?.[1] ?? ''
  if (!request.startsWith('M-SEARCH') || !router.does.protocols.has('upnp')) return undefined
  if (!target.startsWith(DEVICE) || Number(target.slice(-1)) > router.does.version) return undefined
  router.asked.push('upnp search')
  const lines = [
    `ST: ${target}`,
    `USN: uuid:small::${target}`,
    'EXT:',
    'SERVER: Small/1 UPnP/1.1',
    `LOCATION: ${router.location}`,
  ]
  return ['HTTP/1.1 200 OK', 'CACHE-CONTROL: max-age=120', ...lines, '', ''].join('\r\n')
}

export function description({ does: { version, name } }: RouterState): string {
  const type = `${SERVICE}:${version}`
  const wan = `<service><serviceType>${type}</serviceType><serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId><SCPDURL>/wan.xml</SCPDURL><controlURL>/control</controlURL><eventSubURL>/event</eventSubURL></service>`
  const layer =
    '<service><serviceType>urn:schemas-upnp-org:service:Layer3Forwarding:1</serviceType><controlURL>/other</controlURL></service>'
  return `<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>
<device><deviceType>${DEVICE}:${version}</deviceType><friendlyName>${name}</friendlyName>
<serviceList>${layer}</serviceList>
<deviceList><device><deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:${version}</deviceType>
<serviceList>${wan}</serviceList></device></deviceList></device></root>`
}

interface Answer {
  status: number
  body: string
}

/** Answers an action of WANIPConnection (SOAP 1.1). */
export function answerAction(router: RouterState, request: IncomingMessage, body: string): Answer {
  const action = /#(\w+)"?$/.exec(String(request.headers.soapaction))?.[1] ?? ''
  const field = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? ''
  const external = Number(field('NewExternalPort'))
  router.asked.push(`upnp ${action}${external > 0 ? ` ${external}` : ''}`)
  const held = router.mappings.get(external)
  switch (action) {
    case 'GetExternalIPAddress':
      return done(action, { NewExternalIPAddress: router.does.outerAddress })
    case 'GetSpecificPortMappingEntry':
      if (!held) return failed(714, 'NoSuchEntryInArray')
      return done(action, {
        NewInternalPort: held.port,
        NewInternalClient: held.client,
        NewEnabled: 1,
        NewPortMappingDescription: 'Small',
        NewLeaseDuration: held.lifetimeS,
      })
    case 'AddPortMapping':
      return add(router, field)
    case 'DeletePortMapping':
      return router.mappings.delete(external) ? done(action, {}) : failed(714, 'NoSuchEntryInArray')
    default:
      return failed(401, 'Invalid Action')
  }
}

function add({ does, mappings }: RouterState, field: (name: string) => string): Answer {
  const external = Number(field('NewExternalPort'))
  const client = field('NewInternalClient')
  const port = Number(field('NewInternalPort'))
  const lifetimeS = Number(field('NewLeaseDuration'))
  const held = mappings.get(external)
  const isAnothers = held && (held.client !== client || held.port !== port)
  // OnlyPermanentLeasesSupported is a refusal of leases only.
  if (does.refuse.upnp !== undefined && !(does.refuse.upnp === 725 && lifetimeS === 0))
    return failed(does.refuse.upnp, 'Refused')
  if (isAnothers && !does.overwrites) return failed(718, 'ConflictInMappingEntry')
  mappings.set(external, { client, port, lifetimeS: does.grantsS ?? lifetimeS, nonce: null })
  return done('AddPortMapping', {})
}

const envelope = (body: string) =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`

function done(action: string, fields: Record<string, string | number>): Answer {
  const values = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)
  return {
    status: 200,
    body: envelope(
      `<u:${action}Response xmlns:u="${SERVICE}:1">${values.join('')}</u:${action}Response>`,
    ),
  }
}

function failed(code: number, words: string): Answer {
  const error = `<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>${code}</errorCode><errorDescription>${words}</errorDescription></UPnPError>`
  const fault = `<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>${error}</detail></s:Fault>`
  return { status: 500, body: envelope(fault) }
}
