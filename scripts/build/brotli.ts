import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify<Buffer, Buffer>(brotliCompress)

/**
 * Puts a `.br` beside every text of the build: a seventh smaller than gzip, and too slow to make while a visitor waits.
 * The server sends it to browsers that take it. Made of the written files, which nothing changes any more.
 */
export function brotli(): Plugin {
  return {
    name: 'brotli',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|css|json)$/.test(name))
      for (const name of texts)
        await writeFile(join(dir, `${name}.br`), await compress(await readFile(join(dir, name))))
    },
  }
}
