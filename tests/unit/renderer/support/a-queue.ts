import type { Upload, UploadSource } from '../../../../renderer/features/uploads/upload'
import { UploadQueue } from '../../../../renderer/features/uploads/queue/upload-queue'
import type { SendOptions } from '../../../../renderer/features/uploads/transport/upload-transport'
import type { BuildWarning, File as StoredFile } from '../../../../server/contract'

export const stored = { file_id: 'stored-file' } as StoredFile
export const aFile = (name = 'a.apk', size = 1000) => new File([new Uint8Array(size)], name)

/** A queue whose transfers the test ends itself. */
export function aQueue() {
  const sent: {
    file: UploadSource
    options: SendOptions
    end: (file: StoredFile) => void
    fail: (cause: Error) => void
  }[] = []
  const links: unknown[][] = []
  const discarded: string[] = []
  const visibilities: [string, boolean][] = []
  const clock = { now: 0 }
  let linking: () => Promise<readonly BuildWarning[]> = () => Promise.resolve([])
  const queue = new UploadQueue({
    send: (file, options) =>
      new Promise((end, fail) => {
        sent.push({ file, options, end, fail })
        options.signal.addEventListener('abort', () => fail(new Error('Cancelled')))
      }),
    link: (...given) => {
      links.push(given)
      return linking()
    },
    setVisibility: async (...given) => visibilities.push(given),
    discard: (address) => discarded.push(address),
    now: () => clock.now,
  })
  const settled: Upload[] = []
  queue.onSettled((upload) => settled.push(upload))
  const failLinks = (cause: Error | undefined) => {
    linking = () => (cause ? Promise.reject(cause) : Promise.resolve([]))
  }
  const warnLinks = (warnings: readonly BuildWarning[]) => {
    linking = () => Promise.resolve(warnings)
  }
  return { queue, sent, links, discarded, visibilities, clock, settled, failLinks, warnLinks }
}

export const settle = () => new Promise((resolve) => setTimeout(resolve))
export const states = (queue: UploadQueue) => queue.list().map(({ state }) => state)
