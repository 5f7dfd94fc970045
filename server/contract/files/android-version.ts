/** Versions by API level, starting at 1 (Android developer docs, `uses-sdk`). */
const VERSIONS = [
  ...[
    '1.0',
    '1.1',
    '1.5',
    '1.6',
    '2.0',
    '2.0.1',
    '2.1',
    '2.2',
    '2.3',
    '2.3.3',
    '3.0',
    '3.1',
    '3.2',
    '4.0',
    '4.0.3',
  ],
  ...[
    '4.1',
    '4.2',
    '4.3',
    '4.4',
    '4.4W',
    '5.0',
    '5.1',
    '6.0',
    '7.0',
    '7.1',
    '8.0',
    '8.1',
    '9',
    '10',
    '11',
    '12',
    '12L',
  ],
  ...['13', '14', '15', '16'],
]

/** Returns the version of an API level as text, such as `Android 8.0`. Null if unknown. */
export function androidVersion(level: number | null): string | null {
  if (level === null || level < 1) return null
  const version = VERSIONS[level - 1]
  return version === undefined ? `Android (API level ${level})` : `Android ${version}`
}
