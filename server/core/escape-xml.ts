/** Escapes a value for the text and the attributes of XML elements. */
export const escapeXml = (value: string | number): string =>
  String(value).replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
