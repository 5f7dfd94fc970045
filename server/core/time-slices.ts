import { setImmediate as nextTick } from 'node:timers/promises'
import { Serial } from './serial'

/** How long pieces of work may hold the event loop together, in ms. */
const SLICE_MS = 10

const pieces = new Serial()
let begun = -Infinity

/**
 * Runs a piece of work that takes some ms. All pieces run one after the other, and other events of
 * the loop get their turn between them. A piece must not wait for another piece.
 */
export const inSlice = <Result>(work: () => Result): Promise<Result> =>
  pieces.run(async () => {
    if (performance.now() - begun > SLICE_MS) {
      await nextTick()
      begun = performance.now()
    }
    return work()
  })
