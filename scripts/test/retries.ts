/**
 * How often to retry a failed test: never, but once for `.ci/run`, so that one unlucky moment does
 * not cost a day. The summary lists such a test, which is fixed next.
 */
export const allowedRetries = Number(process.env['SLIPWAY_TEST_RETRIES'] ?? 0)
