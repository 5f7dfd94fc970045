/** Quotes a text for the shells of Linux and macOS. */
export const posixQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
