/** Most severe first. A level includes the ones before it. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** The server's log. Fields first, then a short message. */
export interface Log {
  /** Whether `debug` writes. */
  readonly isDebug: boolean
  /** Details for debugging. */
  debug(fields: object, message: string): void
  /** Normal events worth recording. */
  info(fields: object, message: string): void
  /** Failures that the server recovered from. */
  warn(fields: object, message: string): void
  /** Failures that may need attention. */
  error(fields: object, message: string): void
}

/** Parses a log level. Throws with a readable message. */
export function logLevelFrom(name: string): LogLevel {
  const level = logLevels.find((candidate) => candidate === name)
  if (level === undefined) throw new Error(`--log-level takes ${logLevels.join(', ')}, not ${name}`)
  return level
}
