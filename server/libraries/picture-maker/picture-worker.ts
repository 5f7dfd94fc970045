import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { makePicture } from './make-picture.ts'
import type { MakerLimits, PictureOrder, PictureReply } from './picture-maker.ts'

// Node also runs this file unbundled: imports must name `.ts` files, and types must be erasable.

const { memoryPages } = workerData as Pick<MakerLimits, 'memoryPages'>

/** libvips would take up to 2 GiB. What does not fit fails as on a computer with less memory. */
class BoundMemory extends WebAssembly.Memory {
  constructor(descriptor: WebAssembly.MemoryDescriptor) {
    super({ ...descriptor, maximum: memoryPages })
  }
}

const loading = load()

async function load() {
  const { Memory } = WebAssembly
  WebAssembly.Memory = BoundMemory
  try {
    const { default: start } = await import('wasm-vips')
    const vips = await start({
      dynamicLibraries: ['vips-heif.wasm'],
      // Damaged pictures are no news for the log of the host.
      preRun: ({ ENV }: { ENV: Record<string, string> }) => (ENV['VIPS_WARNING'] = '0'),
    })

    vips.concurrency(1)
    vips.Cache.max(0)

    // All other formats that it can read are never asked for.
    vips.operationBlock('VipsForeignLoad', true)
    for (const format of ['Png', 'Jpeg', 'Webp', 'Heif'])
      vips.operationBlock(`VipsForeignLoad${format}`, false)
    return vips
  } finally {
    WebAssembly.Memory = Memory
  }
}

async function run(order: PictureOrder): Promise<PictureReply> {
  const vips = await loading
  if ('path' in order) return makePicture(vips, await readFile(order.path), order.shape)
  const { drawCard } = await import('./draw-card.ts')
  return { png: await drawCard(vips, order.card) }
}

parentPort?.on('message', (order: PictureOrder) => {
  void run(order).then((reply) => parentPort?.postMessage(reply))
})
