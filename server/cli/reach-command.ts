import { parseArgs } from 'node:util'
import { usualRouters } from '../compose/internet'
import type { InternetView } from '../contract'
import { realDisk } from '../core/durable-file'
import { defaultDataDir } from '../data/folder/default'
import { findData } from '../data/folder/find'
import { Settings } from '../data/settings/settings'
import { presentInternet } from '../features/internet/internet-view'
import { KeptMapping } from '../features/internet/lease/kept-mapping'
import { RouterCheck } from '../features/internet/router/router-check'
import { nothing } from '../features/internet/situation'
import { routeSource } from '../network/route-source'
import { askHost, NotRunning } from './ask-host'
import { formatTime } from './format-time'
import { internetLines, leftLines } from './internet-lines'

/** Exit code when people outside do not reach this host. */
const NOT_OPEN = 2

/** Prints whether and how people outside reach this host. Opens nothing. Returns the exit code. */
export async function runReach(args: string[]): Promise<number> {
  const flag = { type: 'boolean' } as const
  const options = { data: { type: 'string' }, json: flag, 'ask-outside': flag } as const
  const { values } = parseArgs({ args, options })

  const asksOutside = values['ask-outside'] === true
  const { view, lines } = await askHost(values.data, 'internet.check', {
    ask_outside: asksOutside,
  }).then(
    ({ internet }) => ({ view: internet, lines: internetLines(internet) }),
    (error: unknown) => {
      if (error instanceof NotRunning)
        return checkAlone(values.data ?? defaultDataDir(), asksOutside, error.message)
      throw error
    },
  )

  console.log(
    values.json === true ? JSON.stringify(view, null, 2) : [...tableOf(view), ...lines].join('\n'),
  )

  return view.state === 'open' || view.state === 'tunnel_open' ? 0 : NOT_OPEN
}

/**
 * Asks the router without a running host, and reads what that left open. `why` it does not run.
 * Writes nothing.
 */
async function checkAlone(
  folder: string,
  asksOutside: boolean,
  why: string,
): Promise<{ view: InternetView; lines: string[] }> {
  const { dataDir } = await findData(folder)
  const settings = { ...(await Settings.open(dataDir)).get(), internet_way: 'off' as const }

  const check = new RouterCheck({
    routers: usualRouters(),
    settings: () => settings,
    source: routeSource,
  })
  const facts = await check.run(asksOutside, new AbortController().signal)
  const view = presentInternet({ ...nothing, ...facts, authorizedKey: '' }, settings)

  const storedMapping = new KeptMapping({ dataDir, disk: realDisk, log: { warn: () => undefined } })
  await storedMapping.read()
  // Advice about the other states requires a running host.
  const lines = view.state === 'off' || view.state === 'offline' ? [] : internetLines(view)
  return { view, lines: [...lines, ...leftLines(storedMapping.left), why] }
}

const protocolNames = { pcp: 'PCP', 'nat-pmp': 'NAT-PMP', upnp: 'UPnP' }

function tableOf(view: InternetView): string[] {
  const { local, router, certificate } = view
  const protocols = router?.protocols.map((name) => protocolNames[name]).join(', ')

  const rows: [string, string | null | undefined][] = [
    [
      'This computer',
      local.address &&
        [local.address, local.port && `port ${local.port}`].filter(Boolean).join(', '),
    ],
    ['Router', router && [router.address, router.name].filter((it) => it !== null).join(', ')],
    ['Port mapping', router && (protocols === '' ? 'nothing that it answers' : protocols)],
    ['Outer address', view.outer_address],
    ['Address that the internet sees', view.observed_address],
    [
      'Tunnel',
      view.way === 'tunnel' && view.tunnel
        ? `${view.tunnel.server}, port ${view.tunnel.remote_port}`
        : null,
    ],
    ['Address of this host', view.url],
    ['Certificate until', certificate?.until && formatTime(certificate.until)],
  ]

  const filledRows = rows.filter(([, value]) => typeof value === 'string')
  const width = Math.max(0, ...filledRows.map(([name]) => name.length))
  return filledRows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}
