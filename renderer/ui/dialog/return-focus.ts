/**
 * Remembers the focused control before a dialog opens. Returns a function that focuses it again;
 * for an item of a closed menu, the button of the menu; for a key that works anywhere, the content
 * of the page.
 */
export function rememberControl(): () => void {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  const place = active === document.body ? document.querySelector('main') : active
  const control = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : place
  return () => focusControl(control)
}

/**
 * Focuses it now, and again if the dialog had only just opened: its focus trap starts by a timer.
 */
export function focusControl(control: Element | null): void {
  if (!(control instanceof HTMLElement)) return
  control.focus({ preventScroll: true })
  setTimeout(() => {
    const active = document.activeElement
    if (active !== control && active?.closest('[role=dialog]'))
      control.focus({ preventScroll: true })
  })
}
