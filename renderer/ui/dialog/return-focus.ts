/**
 * Remembers the control in use, for a dialog that is about to open. What it answers gives the focus back to that control
 * when the dialog goes. An item of a menu has gone by then: the button of its menu stands for it.
 */
export function rememberControl(): () => void {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  const control = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return () => {
    if (control instanceof HTMLElement) control.focus({ preventScroll: true })
  }
}
