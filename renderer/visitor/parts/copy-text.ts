/**
 * Copies text and returns whether it worked. Falls back to a hidden text area: over plain http
 * there is no navigator.clipboard.
 */
export async function copyText(value: string): Promise<boolean> {
  // Typed as always present, but missing outside a secure context.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return copyBySelection(value)
  return clipboard.writeText(value).then(
    () => true,
    () => copyBySelection(value),
  )
}

function copyBySelection(value: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = value
  area.readOnly = true
  area.style.cssText = 'position:fixed;top:0;left:0;opacity:0;font-size:16px'

  // Inside an open dialog, so that its focus trap accepts the area.
  const parent = focused?.closest('[role="dialog"]') ?? document.body
  parent.append(area)
  area.focus({ preventScroll: true })
  area.select()
  area.setSelectionRange(0, value.length)

  // oxlint-disable-next-line typescript/no-deprecated -- the only way without a secure context
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })

  return copied
}
