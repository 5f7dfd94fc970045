/** Parses JSON in UTF-8, also after a byte order mark, as npm, browsers and Vagrant do. */
export const parseJson = (bytes: Buffer): unknown =>
  JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''))
