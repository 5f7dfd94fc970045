/** Texts that several files show. Other texts are in the file that shows them. */
export const messages = {
  host: { saved: 'Settings saved', saveFailed: 'Failed to save the settings' },
  project: { notFound: "The project you're looking for doesn't exist or is no longer available." },
  file: {
    uploadFailed: 'Upload failed',
    folderUnreadable: 'This browser could not read the folder. Choose a zip of it instead.',
    confirmDelete: 'Are you sure you want to delete this file?',
    deleted: 'File deleted',
    restored: 'File restored',
    visibilityFailed: 'Visibility did not change',
    makePublic: 'Make Public',
    makePrivate: 'Make Private',
  },
  watch: { changeFailed: 'Failed to change the watched folder' },
  trash: { erase: 'Delete forever' },
}
