import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { PackageJob } from './package-reader.ts'
import { versionInPackage } from './version-in-package.ts'

// Node also runs this file unbundled: imports must name `.ts` files, and types must be erasable.
parentPort?.on('message', ({ filename, size, path }: PackageJob) => {
  const opened = () => open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  void versionInPackage(filename, size, opened).then((version) => parentPort?.postMessage(version))
})
