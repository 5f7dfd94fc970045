import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Keep V8's young generation from growing: by default to 16 MiB per half, which no CPU cache holds.
// Decision 39 has the figures.
setFlagsFromString('--semi-space-growth-factor=1')

/**
 * Gives back what the start took. V8 shrinks the young generation only in a full collection at
 * rest, and it starts one, in small steps, some seconds after a context is gone.
 */
export const releaseStartMemory = (): void => void runInNewContext('0')
