import type { Rooms } from '../../compose/context'
import type { HostSettings } from '../../contract'
import { AppError } from '../../core/errors'
import { ListenError } from '../../http/listen/listener'
import { nextFreePort } from '../../network/free-port'
import { EVERYWHERE, HERE } from '../../network/reach'

type Where = { [Name in 'port' | 'sharing' | 'shared_addresses']?: HostSettings[Name] | undefined }

/**
 * Changes the address now and for later starts. Throws `taken` with a free port, and
 * `invalid_input`.
 */
export async function move(
  context: Rooms<'data' | 'network'>,
  { port, sharing, shared_addresses: chosen }: Where,
): Promise<void> {
  if (port === undefined && sharing === undefined && chosen === undefined) return

  const { reach, bound } = context.network
  const { settings } = context.data
  if (chosen) checkAddresses(context, chosen)

  const isToBeShared = sharing ?? reach.isShared
  const isAnew = isToBeShared !== reach.isShared || (isToBeShared && chosen !== undefined)
  const host = isAnew ? (isToBeShared ? EVERYWHERE : HERE) : reach.host

  const next = {
    host,
    port: port ?? bound().port,
    only: chosen ?? (isAnew ? settings.get().shared_addresses : reach.only),
  }

  await reach.listen(next.host, next.port, next.only).catch(async (cause: unknown) => {
    throw cause instanceof ListenError ? await refusal(cause, next) : cause
  })

  await settings.update({
    ...(sharing === undefined && !isAnew ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(chosen === undefined ? {} : { shared_addresses: chosen }),
  })
}

/** Allows saved addresses, too: the computer may rejoin their network later. */
function checkAddresses(
  { network: { addresses }, data: { settings } }: Rooms<'data' | 'network'>,
  chosen: readonly string[],
): void {
  const validAddresses = new Set([
    ...addresses.own().map(({ address }) => address),
    ...settings.get().shared_addresses,
  ])

  const unknown = chosen.find((address) => !validAddresses.has(address))
  if (unknown !== undefined)
    throw new AppError(
      'invalid_input',
      `This computer has no address ${unknown}`,
      'shared_addresses',
    )
}

async function refusal(
  { obstacle, message }: ListenError,
  { host, port }: { host: string; port: number },
) {
  if (obstacle === undefined) return new AppError('invalid_input', message, 'shared_addresses')
  const free = await nextFreePort(host, port + 1)
  const hint = free === undefined ? 'Choose another.' : `${free} is free.`
  return new AppError('taken', `Port ${port} is ${obstacle}. ${hint}`, 'port', {}, free)
}
