/**
 * How often a failed test is tried again: never, but once for `.ci/run`, so that one unlucky moment
 * does not cost a day. The summary names such a test, which is mended next.
 */
export const allowedRetries = Number(process.env['SLIPWAY_TEST_RETRIES'] ?? 0)
