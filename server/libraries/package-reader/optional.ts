/** Reads an optional part of a package, such as its icon. Null if it cannot be read. */
export async function optional<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch {
    return null
  }
}
