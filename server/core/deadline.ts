/**
 * Whether the work ends within `ms`. Rejects if the work does. The work continues after the
 * deadline.
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: deadline, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  return Promise.race([work.then(() => true), deadline]).finally(() => clearTimeout(timer))
}
