import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { readBlocks } from '../../../server/data/library/journal/read-blocks'

/**
 * The least that loading a library can cost: its snapshot through `JSON.parse` into one Map, with
 * nothing checked.
 */
const dir = process.argv[2] ?? ''
const start = performance.now()
const name = readdirSync(dir).find((one) => one.endsWith('.snapshot.json')) ?? ''
const records = new Map<string, unknown>()
for await (const block of readBlocks(join(dir, name))) {
  const text = block.toString()
  const from = text.startsWith('{') ? text.indexOf('\n') + 1 : 0
  const end = text.lastIndexOf(',\n')
  if (end <= from) continue
  for (const op of JSON.parse(`[${text.slice(from, end)}]`) as [string, string, string, object][]) {
    if (op[0] === 'put') records.set(op[2], op[3])
    else records.set(op[1], op[2])
  }
}
process.send?.({ ms: performance.now() - start, rss: process.memoryUsage.rss() / 1024 ** 2 })
