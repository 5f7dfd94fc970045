/** Where the server tells what happens. Fields first, then a short message. */
export interface Log {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** One JSON object a line on stderr, so that stdout stays free for what people read. */
export const stderrLog: Log = {
  info: (fields, message) => write('info', fields, message),
  error: (fields, message) => write('error', fields, message),
}

function write(level: string, fields: object, message: string): void {
  const line = { time: new Date().toISOString(), level, message, ...fields }
  process.stderr.write(`${JSON.stringify(line, describeErrors)}\n`)
}

const describeErrors = (_key: string, value: unknown): unknown =>
  value instanceof Error ? (value.stack ?? value.message) : value
