/** From what must be seen to what only helps to find a fault. A level brings along those before it. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** Where the server tells what happens. Fields first, then a short message. */
export interface Log {
  /** Every step, for who looks for a fault. */
  debug(fields: object, message: string): void
  /** What is normal and worth knowing later. */
  info(fields: object, message: string): void
  /** What went wrong and was mended without anybody. */
  warn(fields: object, message: string): void
  /** What went wrong and may need somebody. */
  error(fields: object, message: string): void
}

/** The level of this name. Throws with a sentence for people. */
export function logLevelFrom(name: string): LogLevel {
  const level = logLevels.find((known) => known === name)
  if (level === undefined) throw new Error(`--log-level takes ${logLevels.join(', ')}, not ${name}`)
  return level
}
