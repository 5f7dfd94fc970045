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
