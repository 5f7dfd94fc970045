/** What a person does on the page before the app has loaded. */
interface Early {
  /** The last button that was pressed, with a click or its key. */
  pressed: HTMLElement | undefined
  /** What was dropped, as `DataTransfer` has it within the event only. */
  dropped: Pick<DataTransferItem, 'getAsFile' | 'webkitGetAsEntry'>[]
}

const early: Early = { pressed: undefined, dropped: [] }

/** Notes what a person does on the first view of a page, which waits for the app. */
export function noteEarly(page: HTMLElement): void {
  const isWaiting = () => page.isConnected

  addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (!isWaiting() || !button) return
    if (button.matches('.publish')) pickerOf(page)?.click()
    else early.pressed = button
  })
  // Before the app, which listens before it is shown.
  addEventListener('keydown', (event) => isWaiting() && noteKey(page, event), true)
  for (const kind of ['dragover', 'drop'] as const)
    addEventListener(kind, (event) => {
      if (!isWaiting()) return
      event.preventDefault()
      if (kind === 'drop') early.dropped = [...(event.dataTransfer?.items ?? [])].map(keepItem)
    })
}

function noteKey(page: HTMLElement, event: KeyboardEvent): void {
  if (event.key === 'Escape') early.pressed = undefined
  if ((!event.ctrlKey && !event.metaKey) || event.key.toLowerCase() !== 'k') return
  event.preventDefault()
  early.pressed = page.querySelector<HTMLElement>('.find') ?? undefined
}

function keepItem(item: DataTransferItem): Early['dropped'][number] {
  const entry = item.webkitGetAsEntry()
  const file = item.getAsFile()
  return { webkitGetAsEntry: () => entry, getAsFile: () => file }
}

/** Passes on to the app what a person has pressed, chosen and dropped on the page before it. */
export function passOn(page: HTMLElement, app: HTMLElement): void {
  const { pressed, dropped } = early
  if (pressed) findSame(page, app, pressed)?.click()
  if (dropped.length > 0) {
    const dataTransfer = { types: ['Files'], items: dropped }
    dispatchEvent(Object.assign(new Event('drop', { cancelable: true }), { dataTransfer }))
  }
  const picker = pickerOf(page)
  const next = pickerOf(app)
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

const pickerOf = (page: HTMLElement) =>
  page.querySelector<HTMLInputElement>('header input[type=file]')

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
