import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { PackageJob } from './package-reader.ts'
import { versionInPackage } from './version-in-package.ts'

// Without a bundle Node runs this file and those that it imports as they stand: they name each other with `.ts`, and hold
// only types that can be left out.
parentPort?.on('message', ({ filename, size, path }: PackageJob) => {
  const opened = () => open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  void versionInPackage(filename, size, opened).then((version) => parentPort?.postMessage(version))
})
