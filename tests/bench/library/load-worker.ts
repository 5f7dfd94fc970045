import { performance } from 'node:perf_hooks'
import { Library } from '../../../server/data/library/library'

/** Opens a library and nothing else; prints the time (ms) and the memory of the process (MiB). */
const log = {
  info: () => undefined,
  error: (fields: object, message: string) => console.error(message, fields),
}
const start = performance.now()
const library = await Library.open({ dir: process.argv[2] ?? '', log })
const ms = performance.now() - start
process.send?.({
  ms,
  cpu: process.cpuUsage().user / 1000,
  rss: process.memoryUsage.rss() / 1024 ** 2,
  files: library.collection('files').size,
})
await library.close()
