import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { keepOldGenerationSmall, keepYoungGenerationSmall } from '../../../server/heap'

/**
 * Makes garbage of which some lives for a while, and answers what a space of the heap has grown to, in MiB: the least and
 * the most of many looks. Whatever the flag says, V8 lets the young generation go beyond its limit while it marks the old
 * one: one look in ten falls into such a time.
 */
const CHURN = `
const { parentPort, workerData } = require('node:worker_threads')
const { getHeapSpaceStatistics } = require('node:v8')
const kept = []
const looks = []
for (let n = 1; n <= 5e6; n++) {
  kept[n % 200000] = { n, list: [n] }
  if (n > 1e6 && n % 1e5 === 0) {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === workerData)
    looks.push(space.physical_space_size / 1024 ** 2)
  }
}
parentPort.postMessage({ least: Math.min(...looks), most: Math.max(...looks) })`

const grown = (space: 'new_space' | 'old_space') =>
  new Promise<{ least: number; most: number }>((resolve, reject) =>
    new Worker(CHURN, { eval: true, workerData: space }).once('message', resolve).once('error', reject),
  )

test('garbage makes neither generation grow', { timeout: 120_000 }, async () => {
  expect((await grown('new_space')).least).toBeGreaterThan(8)
  keepYoungGenerationSmall()
  expect((await grown('new_space')).least).toBeLessThanOrEqual(2)

  const { most } = await grown('old_space')
  keepOldGenerationSmall()
  expect((await grown('old_space')).most).toBeLessThan(most * 0.8)
})
