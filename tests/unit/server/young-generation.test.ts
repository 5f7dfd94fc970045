import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { keepYoungGenerationSmall } from '../../../server/young-generation'

/**
 * Makes garbage, and answers what the young generation has grown to, in MiB: the least of ten looks. Whatever the flag
 * says, V8 goes beyond the limit while it marks the old generation, and comes back: one look in ten falls into such a time.
 */
const CHURN = `
const { parentPort } = require('node:worker_threads')
const { getHeapSpaceStatistics } = require('node:v8')
const kept = []
const looks = []
for (let n = 1; n <= 2e6; n++) {
  kept[n % 200000] = { n, list: [n] }
  if (n > 1e6 && n % 1e5 === 0) {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    looks.push(young.physical_space_size / 1024 ** 2)
  }
}
parentPort.postMessage(Math.min(...looks))`

const grownTo = () =>
  new Promise<number>((resolve, reject) =>
    new Worker(CHURN, { eval: true }).once('message', resolve).once('error', reject),
  )

test('garbage does not make the young generation grow', async () => {
  expect(await grownTo()).toBeGreaterThan(8)
  keepYoungGenerationSmall()
  expect(await grownTo()).toBeLessThanOrEqual(2)
})
