import { GB, MB } from '../../../server/contract/limits'
import { limitIn } from '../../ui/number-field'

/** The text of a field in MB, MB/s or GB; empty for no limit. */
export const inMegabytes = (bytes: number | null, unit?: string): number | string =>
  bytes === null ? '' : Number((bytes / sizeOf(unit)).toFixed(3))

/** The bytes of such a field; NaN for a text that is no number. */
export function inBytes(field: number | string, unit?: string): number | null {
  const number = limitIn(field)
  return number === null ? null : Math.round(number * sizeOf(unit))
}

const sizeOf = (unit: string | undefined): number => (unit === 'GB' ? GB : MB)
