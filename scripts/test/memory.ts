/** The folder that Linux keeps in memory. */
export const MEMORY = '/dev/shm'

/** How the names of the folders of a run begin there, and in `test-results`. */
export const runPrefix = (run: number | string): string => `slipway-test-${run}-`
