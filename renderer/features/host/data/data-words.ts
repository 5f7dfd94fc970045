/** What the page of the data folder and the backups says; apart from the other texts, as only the host loads it. */
export const dataWords = {
  moveFailed: 'Failed to move the data folder',
  cancelFailed: 'Failed to cancel the move',
  confirmMove: (what: string, to: string, shares: boolean) =>
    `${what} go to ${to}. ${shares ? 'Both folders are on one disk, so little is copied. ' : ''}The host stays online while they are copied and checked, and starts again at the end. The old folder stays until you delete it.`,
  stages: {
    copying: 'Copying to',
    waiting: 'Copied. Waiting for uploads to end, then Slipway starts again in',
    switching: 'Slipway starts again in',
  },
  removed: 'The old folder is in the trash',
  removeFailed: (path: string) => `The system did not take the old folder into its trash. Delete it by hand: ${path}`,
  confirmRemove: (path: string) => `All data in ${path} goes to the trash of this computer. Slipway no longer uses it.`,
  noBackups: 'Nothing is backed up. Choose a folder, best on another disk.',
  folderInApp: 'The folder is chosen in the Slipway app. A host without a window is backed up by “slipway backup”.',
  sameDisk: 'They help when something was deleted by mistake, and not when the disk breaks.',
  overdue: 'The last whole backup is more than a day old.',
  chooseFailed: 'Failed to choose the folder',
  scheduleFailed: 'Failed to change when backups are made',
  backupFailed: 'Failed to begin the backup',
  restore:
    'In a terminal, in the folder of Slipway. This takes the newest backup, checks every byte, and makes a new folder:',
  startRestored: 'Then quit Slipway, and start it with that folder:',
}
