/**
 * An export of 32 MB has half of it. JSON of nothing but brackets would keep everyone waiting for
 * seconds.
 */
const MOST_VALUES = 2_000_000
const SEPARATORS = Buffer.from(',[{')

/** Whether JSON may have more values than a host reads. It counts what separates them. */
export function hasTooManyValues(json: Buffer): boolean {
  let count = 0
  for (const separator of SEPARATORS)
    for (let at = json.indexOf(separator); at !== -1; at = json.indexOf(separator, at + 1))
      if (++count > MOST_VALUES) return true

  return false
}
