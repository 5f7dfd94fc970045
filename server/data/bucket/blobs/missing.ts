/** As the disk reports a missing file, for code that reads from either. */
export const missingError = (key: string): Error =>
  Object.assign(new Error(`${key} is not in the bucket`), { code: 'ENOENT' })
