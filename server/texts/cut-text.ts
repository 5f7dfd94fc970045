/**
 * Cuts a text to a number of characters including its ellipsis, but never within a surrogate pair.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const start = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  return `${start.trimEnd()}…`
}
