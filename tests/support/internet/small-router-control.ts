import type { RouterState } from './small-router-state'

/** Answers PCP (RFC 6887) and NAT-PMP (RFC 6886), written apart from the clients under test. */
export function answerControl(
  router: RouterState,
  request: Buffer,
  client: string,
): Buffer | undefined {
  const { protocols } = router.does
  if (request[0] === 2 && protocols.has('pcp')) return pcp(router, request, client)
  if (request[0] === 0 && protocols.has('nat-pmp')) return natPmp(router, request, client)
  // A router that knows another version says so in its own.
  if (protocols.has('pcp')) return Buffer.from([2, 128, 0, 1, ...Array<number>(20).fill(0)])
  return protocols.has('nat-pmp') ? Buffer.from([0, 128, 0, 1, 0, 0, 0, 0]) : undefined
}

function pcp(router: RouterState, request: Buffer, client: string): Buffer {
  const reply = Buffer.from(request)
  const opcode = request.readUInt8(1)
  reply[1] = opcode | 0x80
  reply.fill(0, 2, 4)
  reply.writeUInt32BE(router.does.epoch, 8)
  reply.fill(0, 12, 24)
  if (opcode === 0) {
    router.asked.push('pcp announce')
    return reply
  }
  const wanted = {
    client,
    port: request.readUInt16BE(40),
    external: request.readUInt16BE(42),
    lifetimeS: request.readUInt32BE(4),
    nonce: request.toString('hex', 24, 36),
    exactly: request.length > 60,
  }
  router.asked.push(`pcp map ${wanted.external} ${wanted.lifetimeS}`)
  const { result, external, lifetimeS } = pcpMap(router, wanted)
  reply[3] = result
  reply.writeUInt32BE(lifetimeS, 4)
  reply.writeUInt16BE(external, 42)
  outer(router).copy(reply, 56)
  Buffer.from('00000000000000000000ffff', 'hex').copy(reply, 44)
  return reply
}

interface PcpWanted {
  client: string
  port: number
  external: number
  lifetimeS: number
  nonce: string
  exactly: boolean
}

function pcpMap(router: RouterState, wanted: PcpWanted) {
  const { client, port, nonce, external, lifetimeS } = wanted
  const fail = (result: number) => ({ result, external, lifetimeS: 30 })
  const own = entryOf(router, client, port)
  if (own && own[1].nonce !== nonce) return fail(2)
  if (lifetimeS === 0) {
    if (own) router.mappings.delete(own[0])
    return { result: 0, external, lifetimeS: 0 }
  }
  if (router.does.refuse.pcp !== undefined) return fail(router.does.refuse.pcp)
  if (wanted.exactly && !router.does.prefersFailure) return fail(5)
  const given = own?.[0] ?? freePort(router, external)
  if (wanted.exactly && given !== external) return fail(11)
  const granted = router.does.grantsS ?? lifetimeS
  router.mappings.set(given, { client, port, lifetimeS: granted, nonce })
  return { result: 0, external: given, lifetimeS: granted }
}

function natPmp(router: RouterState, request: Buffer, client: string): Buffer | undefined {
  const opcode = request.readUInt8(1)
  const reply = Buffer.alloc(opcode === 0 ? 12 : 16)
  reply[1] = opcode | 0x80
  reply.writeUInt32BE(router.does.epoch, 4)
  if (opcode === 0) {
    router.asked.push('nat-pmp address')
    if (router.does.outerAddress === '') reply.writeUInt16BE(3, 2)
    outer(router).copy(reply, 8)
    return reply
  }
  if (opcode !== 2) return undefined
  const port = request.readUInt16BE(4)
  const external = request.readUInt16BE(6)
  const lifetimeS = request.readUInt32BE(8)
  router.asked.push(`nat-pmp map ${external} ${lifetimeS}`)
  reply.writeUInt16BE(port, 8)
  const own = entryOf(router, client, port)
  if (lifetimeS === 0) {
    if (own) router.mappings.delete(own[0])
    return reply
  }
  if (router.does.refuse.natPmp !== undefined) {
    reply.writeUInt16BE(router.does.refuse.natPmp, 2)
    return reply
  }
  const given = own?.[0] ?? freePort(router, external)
  const granted = router.does.grantsS ?? lifetimeS
  router.mappings.set(given, { client, port, lifetimeS: granted, nonce: own?.[1].nonce ?? null })
  reply.writeUInt16BE(given, 10)
  reply.writeUInt32BE(granted, 12)
  return reply
}

const entryOf = (router: RouterState, client: string, port: number) =>
  [...router.mappings].find(([, it]) => it.client === client && it.port === port)

function freePort(router: RouterState, wanted: number): number {
  let port = wanted
  while (router.mappings.has(port)) port++
  return port
}

function outer(router: RouterState): Buffer {
  const address = router.does.outerAddress === '' ? '0.0.0.0' : router.does.outerAddress
  return Buffer.from(address.split('.').map(Number))
}
