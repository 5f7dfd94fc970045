/** What a person did before the scripts had loaded, noted by visitor.html. */
interface Early {
  /** The last button that was pressed, with a click or its key. */
  pressed: HTMLElement | null
  /** What was typed for the search after that. */
  text: string
  /** What was dropped, as `DataTransfer` has it within the event only. */
  dropped?: Pick<DataTransferItem, 'getAsFile' | 'webkitGetAsEntry'>[]
}

declare global {
  /** Missing where another page starts the app. */
  var early: Early | undefined
}

/** Passes on to the app what a person has pressed, chosen and dropped on the page before it. */
export function passOn(page: HTMLElement, app: HTMLElement): void {
  const { pressed, dropped } = globalThis.early ?? {}
  if (pressed && page.contains(pressed)) findSame(page, app, pressed)?.click()
  if (dropped) {
    const dataTransfer = { types: ['Files'], items: dropped }
    dispatchEvent(Object.assign(new Event('drop', { cancelable: true }), { dataTransfer }))
  }
  const picker = page.querySelector<HTMLInputElement>('input[type=file]')
  const next = app.querySelector<HTMLInputElement>('header input[type=file]')
  if (!picker || !next) return

  const passFiles = () => {
    if (!picker.files?.length) return
    next.files = picker.files
    next.dispatchEvent(new Event('change', { bubbles: true }))
  }
  passFiles()
  // The system's dialog may still be open.
  picker.addEventListener('change', passFiles)
}

/** The same control in the next page: one address or text can be there several times. */
export function findSame(
  page: HTMLElement,
  next: HTMLElement,
  control: Element,
): HTMLElement | undefined {
  const alike = (within: HTMLElement) =>
    [...within.querySelectorAll<HTMLElement>('a, button, summary, input')].filter(
      (it) => it.tagName === control.tagName && labelOf(it) === labelOf(control),
    )
  return alike(next)[alike(page).findIndex((it) => it === control)]
}

function labelOf(control: Element): string {
  if (control instanceof HTMLAnchorElement) return control.href
  if (control instanceof HTMLInputElement) return `${control.type} ${control.name}`
  return control.getAttribute('aria-label') ?? control.textContent.trim()
}
