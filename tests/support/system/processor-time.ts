/**
 * The processor time that this thread spends during `work`, in ms. It stands still while other
 * programs run.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * The longest time that `work` holds the event loop at once, in ms of processor time. May add up
 * pieces of less than a ms.
 */
export async function longestTick(work: () => unknown): Promise<number> {
  let longest = 0
  let hasEnded = false
  let before = process.threadCpuUsage()
  const tick = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, user + system)
    before = process.threadCpuUsage()
    if (!hasEnded) setTimeout(tick, 1)
  }
  setTimeout(tick, 1)

  await work()
  hasEnded = true
  // Work that never waited let no timer run.
  tick()
  return longest / 1000
}

const TEXT = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, text: `line ${n}` })))
/** What reading and writing TEXT takes on a quiet machine, in ms. */
const QUIET_MS = 5

/**
 * How many times longer work takes now than on a quiet machine, at least 1: programs that share a
 * core and its caches slow each other down in processor time, too.
 */
export async function slowness(): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 5; n++)
    times.push(await processorTime(() => JSON.stringify(JSON.parse(TEXT))))
  return Math.max(1, Math.min(...times) / QUIET_MS)
}
