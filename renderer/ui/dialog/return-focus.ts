/**
 * Remembers the focused control before a dialog opens. Returns a function that focuses it again; for an item of a
 * closed menu, the button of the menu.
 */
export function rememberControl(): () => void {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  const control = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return () => {
    if (control instanceof HTMLElement) control.focus({ preventScroll: true })
  }
}
