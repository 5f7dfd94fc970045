import { isIPv4 } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { ownAddresses } from '../../../server/core/net/own-address'

/**
 * The IPv4 address at which other devices most likely reach this computer, or undefined if there
 * is none.
 */
export const lanAddress = (interfaces?: NodeJS.Dict<NetworkInterfaceInfo[]>): string | undefined =>
  ownAddresses(undefined, interfaces).find((it) => it.isOffered && isIPv4(it.address))?.address
