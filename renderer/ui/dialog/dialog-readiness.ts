let open = () => {}

/** Resolves once there is a place where dialogs show up: one that is opened before would be lost. */
export const placeForDialogs = new Promise<void>((resolve) => (open = resolve))

export const announcePlaceForDialogs = (): void => open()
