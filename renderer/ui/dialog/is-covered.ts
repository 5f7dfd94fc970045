/**
 * Whether another dialog or a menu is open above the dialog that contains an element. Every open
 * dialog hears Escape, but only the topmost may close.
 */
export function isCovered(element: Element | null): boolean {
  const topmost = [...document.querySelectorAll('[role=dialog], [role=menu]')].at(-1)
  return topmost !== undefined && element !== null && !topmost.contains(element)
}
