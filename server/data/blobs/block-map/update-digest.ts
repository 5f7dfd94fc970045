import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The facts about a file that updaters need besides its size. */
export interface UpdateDigest {
  /** Base64. */
  sha512: string
  /** Hexadecimal. */
  sha1: string
  /** The map of its blocks (see `BlockMap`), if it was made. */
  blockMap?: Uint8Array | undefined
  /** Input for zsync (see `ZsyncSums`), if requested and if the AppImage supports it. */
  zsync?: Uint8Array | undefined
  /** Bytes of the map at the end of an AppImage, if it was looked for; 0: none. */
  inside?: number | undefined
}

/** `make` takes a second per 50 MB. */
export interface UpdateOrder {
  path: string
  /** Bytes. */
  size: number
  map: 'make' | 'find' | 'zsync' | 'none'
}

/** `pause`: the worker waits until it may continue. */
export type UpdateAnswer = UpdateDigest | 'pause'

export interface UpdatePace {
  /** Resolves when the work may continue. */
  pause?: () => Promise<void>
  /** Ends the work. */
  signal?: AbortSignal | undefined
}

/** Limits the heap of the worker, in MiB: a file of 2 GB needs 20. */
const LIMITS = { maxOldGenerationSizeMb: 64 }
/** The worker is next to this file, in the source and in the bundle (also within app.asar). */
const WORKER = new URL(`block-map-worker${extname(import.meta.url)}`, import.meta.url)

/** Reads a file in a separate worker. Throws if the file cannot be read, and when it is aborted. */
export async function updateDigest(
  order: UpdateOrder,
  { pause, signal }: UpdatePace = {},
): Promise<UpdateDigest> {
  signal?.throwIfAborted()
  const worker = new Worker(WORKER, { workerData: order, resourceLimits: LIMITS, env: {} })
  worker.unref()

  const { promise, resolve, reject } = Promise.withResolvers<UpdateDigest>()
  worker
    .on('error', reject)
    .on('exit', () => reject(new Error('The worker ended without a digest')))
  worker.on('message', (answer: UpdateAnswer) => {
    if (answer !== 'pause') return resolve(answer)
    void Promise.resolve(pause?.()).then(() => worker.postMessage('continue'), reject)
  })

  const abort = () => reject(signal?.reason as Error)
  signal?.addEventListener('abort', abort)

  try {
    return await promise
  } finally {
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
