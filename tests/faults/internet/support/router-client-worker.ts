import { findPinholes, findRouters, routerOf } from '../../../../server/network/router/find-routers'
import { defaultGateway, defaultGateway6 } from '../../../../server/network/router/gateway'
import type { Mapping, Router, RouterProtocol, Wanted } from '../../../../server/network/router/router'

/** Our clients of routers, in a process on a machine of the lab. It answers the calls of `RouterClient`. */
const never = new AbortController().signal
let routers: Router[] = []

function using(all: readonly Router[], protocol: RouterProtocol): Router {
  const found = all.find((it) => it.protocol === protocol)
  if (!found) throw new Error(`The router has no ${protocol}`)
  return found
}

async function pinholes(): Promise<Router[]> {
  const place = await defaultGateway6()
  return place ? findPinholes(place, routers, never) : []
}

const calls = {
  place: defaultGateway,
  place6: defaultGateway6,
  async find() {
    const place = await defaultGateway()
    routers = place ? await findRouters(place, never) : []
    return routers.map(({ protocol, name }) => ({ protocol, name }))
  },
  outer: (protocol: RouterProtocol) => using(routers, protocol).outerAddress(),
  map: (protocol: RouterProtocol, wanted: Wanted) => using(routers, protocol).map(wanted),
  pinhole: async (protocol: RouterProtocol, wanted: Wanted) => using(await pinholes(), protocol).map(wanted),
  unmap: (mapping: Mapping) => routerOf(mapping).unmap(mapping),
}
export type Calls = typeof calls

process.on('message', ({ id, name, args }: { id: number; name: keyof Calls; args: never[] }) => {
  const call = calls[name] as (...args: never[]) => Promise<unknown>
  void call(...args).then(
    (value) => process.send?.({ id, value }),
    (err: unknown) => process.send?.({ id, error: Object.assign({ message: String(err) }, err) }),
  )
})
process.send?.({ id: 0 })
