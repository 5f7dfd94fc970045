import { z } from 'zod'

/**
 * The identifier of an iPhone or iPad (UDID), in lower case: 40 hexadecimal digits, or since 2018 8
 * and 16.
 */
export const udid = z
  .string()
  .toLowerCase()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{8}-[0-9a-f]{16})$/)

/** The iPhones and iPads in a provisioning profile. Apple registers 100 of each kind a year. */
export const deviceList = z.array(udid).min(1).max(1000)

/** Leaves out what is not the identifier of an iPhone or iPad. */
export const toDeviceList = (listed: readonly string[] = []) =>
  deviceList.safeParse(listed.filter((it) => udid.safeParse(it).success)).data
