import { MB } from '../../../server/contract/limits'
import { numberIn } from '../../ui/number-field'

/** The text of a field in MB or MB/s; empty for no limit. */
export const inMegabytes = (bytes: number | null): number | string =>
  bytes === null ? '' : Number((bytes / MB).toFixed(3))

/** The bytes of such a field; NaN for a text that is no number. */
export const inBytes = (field: number | string): number | null =>
  field === '' ? null : Math.round(numberIn(field) * MB)
