import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { lookInside } from './look-inside.ts'
import type { PackageJob } from './package-reader.ts'

// Node also runs this file unbundled: imports must name `.ts` files, and types must be erasable.
parentPort?.on('message', ({ filename, size, path }: PackageJob) => {
  const openFile = () => open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  void lookInside(filename, size, openFile).then((result) => parentPort?.postMessage(result))
})
