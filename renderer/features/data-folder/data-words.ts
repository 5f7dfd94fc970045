export const dataWords = {
  moveFailed: 'Failed to move the data folder',
  cancelFailed: 'Failed to cancel the move',
  confirmMove: (what: string, to: string, shares: boolean) =>
    `${what} move to ${to}. ${shares ? 'Both folders are on one disk, so little is copied. ' : ''}The host stays online while it copies and checks them, and restarts at the end. The old folder stays until you delete it.`,
  stages: {
    copying: 'Copying to',
    waiting: 'Copied. Slipway waits for uploads to end, then restarts in',
    switching: 'Slipway restarts in',
  },
  removed: 'The old folder is in the trash',
  removeFailed: (path: string) => `The old folder could not be moved to the trash. Delete it yourself: ${path}`,
  confirmRemove: (path: string) =>
    `All data in ${path} moves to the trash of this computer. Slipway no longer uses it.`,
  noBackups: 'Backups are off. Choose a folder, best on another disk.',
  folderInApp:
    'You can choose the folder in the Slipway app only. To back up a host without a window, run “slipway backup”.',
  sameDisk: 'These backups help after a mistaken deletion, but not when the disk fails.',
  overdue: 'The last complete backup is more than a day old.',
  chooseFailed: 'Failed to choose the folder',
  scheduleFailed: 'Failed to change the backup schedule',
  backupFailed: 'Failed to start the backup',
  restore:
    'Run this in a terminal, in the folder of Slipway. It restores the newest backup into a new folder and checks every byte:',
  startRestored: 'Then quit Slipway and start it with that folder:',
}
