/**
 * The full rounds of `npm run test:full`, with the files named `*.full.{test,spec}.ts`, or the
 * shorter ones.
 */
export const isFull = process.env.FAULTS === 'full'

export const rounds = (full: number, short: number): number => (isFull ? full : short)

/**
 * Why a test that needs root and Linux is passed over; undefined where it runs. In CI it always
 * runs, and fails where it cannot.
 */
export const noRoot =
  process.getuid?.() === 0 || process.env.CI !== undefined
    ? undefined
    : 'only root can mount and trace'

/** The name of a test, with the reason where it is passed over. */
export const named = (name: string): string =>
  noRoot === undefined ? name : `${name} (not run: ${noRoot})`
