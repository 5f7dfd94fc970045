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
  return longest / 1000
}
