const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Most texts have none, and looking is cheaper than replacing. */
const SPECIAL = /[&<>"']/

/** Escapes a text for elements and attributes of HTML and XML. */
export const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '') : text

/** Leaves out what XML 1.0 (§2.2) forbids, and carriage returns. */
export const xmlText = (text: string): string =>
  text.replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
