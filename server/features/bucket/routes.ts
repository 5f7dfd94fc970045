import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { bucketTexts } from '../../data/settings/restored-settings'
import { AppError } from '../../core/errors'
import { isLoopback } from '../../core/net/ip-address'
import { endpointProblem } from '../../data/bucket/endpoint-problem'
import { serve } from '../../http/endpoint/serve'
import { describeChanges, parseKeys, presentChoice } from './presenter'
import { switchOffBucket } from './switch-off'

/** Downloads from a bucket, for the host account. No reply contains a key. */
export function bucketRoutes(
  router: Router,
  context: Rooms<'accounts' | 'bucket' | 'network'>,
): void {
  const { publicCopies, config } = context.bucket
  const { audit } = context.accounts
  const show = () => ({ mirror: publicCopies.view() })

  serve(router, api.mirror.show, show)

  serve(router, api.mirror.setUp, async ({ input, ctx }) => {
    const before = config.get()
    const choice = presentChoice(input)
    const keys = parseKeys(input)

    requireEndpoint(context, choice.endpoint)
    await publicCopies.setUp(choice, keys)

    const after = { ...choice, use: 'on' } as const
    if (before?.use !== 'on')
      audit.record(ctx, { kind: 'mirror_set_up', detail: bucketTexts(after) })
    else {
      const detail = describeChanges(before, after, keys !== undefined)
      if (detail !== '') audit.record(ctx, { kind: 'mirror_change', detail })
    }

    return show()
  })

  serve(router, api.mirror.test, async ({ input }) => {
    const choice = presentChoice(input)
    requireEndpoint(context, choice.endpoint)
    return { steps: await publicCopies.test(choice, parseKeys(input)) }
  })

  serve(router, api.mirror.verify, async ({ input }) => {
    await publicCopies.verify(input.read_data)
    return show()
  })

  serve(router, api.mirror.switchOff, async ({ input, ctx }) => {
    await switchOffBucket(context, input.copies, (happening) => audit.record(ctx, happening))
    return show()
  })
}

/** Throws `invalid_input` unless this host may use a store at this address. */
function requireEndpoint(context: Rooms<'network'>, endpoint: string): void {
  const problem = endpointProblem(endpoint, (host, port) => isOwn(context, host, port))
  if (problem !== undefined) throw new AppError('invalid_input', problem, 'endpoint')
}

/** Whether an address is this host: on this computer, or by forwarding from elsewhere. */
function isOwn(
  { network: { addresses, bound, outsideDoor } }: Rooms<'network'>,
  host: string,
  port: number,
): boolean {
  const isHere = isLoopback(host) || addresses.own().some(({ address }) => address === host)
  if (isHere && [bound().port, outsideDoor.port].includes(port)) return true

  return addresses.list().some(({ url }) => {
    const { hostname, port: urlPort, protocol } = new URL(url)
    const usual = protocol === 'https:' ? 443 : 80
    return hostname === host && (urlPort === '' ? usual : Number(urlPort)) === port
  })
}
