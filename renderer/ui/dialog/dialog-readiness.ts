import type { modals } from '@mantine/modals'

type Dialogs = typeof modals

let open = (_dialogs: Dialogs) => {}

/** Resolves once dialogs can be shown, with what shows them; one opened before would be lost. */
export const placeForDialogs = new Promise<Dialogs>((resolve) => (open = resolve))

export const announcePlaceForDialogs = (dialogs: Dialogs): void => open(dialogs)
