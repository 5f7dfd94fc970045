interface FocusableForm {
  getInputNode: (path: string) => HTMLElement | null
}

/** For `form.onSubmit(accepted, focusFirstError(form))`: a refused form puts the person where the mistake is. */
export const focusFirstError = (form: FocusableForm) => (errors: Record<string, unknown>) => {
  const [first] = Object.keys(errors)
  if (first !== undefined) form.getInputNode(first)?.focus()
}
