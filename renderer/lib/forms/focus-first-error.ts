interface FocusableForm {
  getInputNode: (path: string) => HTMLElement | null
}

/** For `form.onSubmit(accepted, focusFirstError(form))`. */
export const focusFirstError = (form: FocusableForm) => (errors: Record<string, unknown>) => {
  const inputs = Object.keys(errors).flatMap((path) => form.getInputNode(path) ?? [])
  const [first] = inputs.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  first?.focus()
}
