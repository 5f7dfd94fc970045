let open = () => {}

/** Resolves once dialogs can be shown; one opened before would be lost. */
export const placeForDialogs = new Promise<void>((resolve) => (open = resolve))

export const announcePlaceForDialogs = (): void => open()
