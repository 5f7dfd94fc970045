/** The folder that Linux keeps in memory. */
export const MEMORY = '/dev/shm'

/** Prefix of the folders of a run, there and in `test-results`. */
export const runPrefix = (run: number | string): string => `slipway-test-${run}-`
