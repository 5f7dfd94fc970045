/** The error that a disk reports for a missing file, for code that reads from both. */
export const missingError = (key: string): Error =>
  Object.assign(new Error(`${key} is not in the bucket`), { code: 'ENOENT' })
