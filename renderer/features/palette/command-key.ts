import { writeCommandKey } from '../../../server/texts/host/command-key'

/** How this computer writes the key of commands. */
export const COMMAND_KEY = writeCommandKey(navigator.userAgent)
