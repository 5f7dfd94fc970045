/** The locale of every text, number and date. */
export const LOCALE = 'en'

/** Every text that the product specification quotes, in one place for translation; see host-messages. */
export const messages = {
  page: {
    keywords: 'file sharing, app distribution, APK, IPA, builds, downloads, self-hosted, open source',
  },
  account: {
    registered: 'Registration successful! Please log in.',
    passwordsDiffer: 'Passwords do not match',
    loginFailed: 'Login failed',
    checkFailed: 'Your session could not be checked',
    logout: 'Log out',
    logoutAnyway: 'Log out anyway',
    loginError: 'An error occurred during login',
    registrationFailed: 'Registration failed',
    registrationError: 'An error occurred during registration',
    passwordChanged: 'Password changed. You were signed out everywhere else.',
    passwordChangeFailed: 'Failed to change password',
    passwordChangeUnavailable: 'The form could not be loaded. Reload the page.',
  },
  host: {
    unreachable: 'For now only this computer can open this address.',
  },
  project: {
    notFoundTitle: 'Project Not Found',
    notFound: "The project you're looking for doesn't exist or is no longer available.",
    loadFailed: 'Project not found',
    created: 'Project created successfully!',
    updated: 'Project updated successfully!',
    deleted: 'Project deleted',
    restored: 'Project restored',
    restoreFailed: 'Failed to restore project',
    createFailed: 'Failed to create project',
    updateFailed: 'Failed to update project',
    deleteFailed: 'Failed to delete project',
    confirmDelete: 'Are you sure you want to delete this project? Its files will not be deleted.',
    selectFile: 'Please select at least one file',
    filesAdded: (count: number) => `Successfully added ${count} file(s) to project`,
    addFilesFailed: 'Failed to add files',
    fileRemoved: 'File removed from project',
    removeFileFailed: 'Failed to remove file',
    confirmRemoveFile: 'Remove this file from the project?',
  },
  file: {
    uploaded: 'File uploaded successfully!',
    uploadedMany: (count: number) => `${count} files uploaded successfully!`,
    uploadedToProject: 'File uploaded and added to project!',
    uploadedManyToProject: (count: number) => `${count} files uploaded and added to project!`,
    uploadedNotLinked: 'File uploaded, but failed to add to project',
    uploadFailed: 'Upload failed',
    leaving: (count: number) =>
      count === 1
        ? 'An upload is still running and would be lost.'
        : `${count} uploads are still running and would be lost.`,
    leavingResumable: (count: number) =>
      count === 1
        ? 'An upload is still running and would stop. You can resume it later.'
        : `${count} uploads are still running and would stop. You can resume them later.`,
    confirmDelete: 'Are you sure you want to delete this file?',
    deleteFailed: 'Failed to delete file',
    deleted: 'File deleted',
    restored: 'File restored',
    restoreFailed: 'Failed to restore file',
    visibilityFailed: 'Failed to change visibility',
    makePublic: 'Make Public',
    makePrivate: 'Make Private',
    makeThisPublic: 'Make this file public',
    makeThesePublic: 'Make these files public',
  },
  upload: {
    dropHere: 'Drop to upload',
    copying: 'Copying',
    folder: 'Folders are not supported. Choose the files in it, or a zip of it.',
    missing: 'This file no longer exists on this computer: it was moved, renamed or deleted.',
    verifying: 'Verifying: the host is checking and storing it…',
    signInAgain: 'Paused: sign in again to resume',
    unreachable: 'The host is unreachable. The upload resumes automatically',
    empty: 'This file is empty (0 bytes), so there is nothing to upload.',
    fileChanged: (name: string) =>
      `${name} was changed, moved or deleted on this computer. Choose it again to upload its current version.`,
    goneFromHost:
      'The host no longer has the first part of this file: it was discarded. Try again to restart the upload.',
    otherFile: (name: string, size: string) =>
      `That is not the file whose upload was interrupted. Choose ${name} of ${size}, unchanged since then, or discard the upload.`,
    resumesFrom: (size: string) => `The host already has the first ${size}, and the upload resumes from there.`,
    resumedFrom: (size: string) => `Resumed: the host already had the first ${size}.`,
    discardFailed: 'Failed to discard the upload',
    discarded: 'Upload discarded',
    confirmDiscard: (size: string) => `This deletes the ${size} that are already on the host.`,
    listFailed: 'The unfinished uploads could not be loaded',
  },
  trash: {
    erase: 'Delete forever',
    erased: 'Deleted forever',
    eraseFailed: 'Failed to delete forever',
    confirmErase: 'This cannot be undone.',
  },
  apiKey: {
    createFailed: 'Failed to create API key',
    revokeFailed: 'Failed to revoke API key',
    deleteFailed: 'Failed to delete API key',
    confirmRevoke: 'Are you sure you want to revoke this API key?',
    confirmDelete: 'Are you sure you want to delete this API key?',
    revoked: 'API key revoked',
    deleted: 'API key deleted',
  },
  collaborator: {
    added: 'Collaborator added successfully!',
    removed: 'Collaborator removed successfully!',
    addFailed: 'Failed to add collaborator',
    removeFailed: 'Failed to remove collaborator',
    confirmRemove: (name: string) => `Remove ${name} from this project?`,
  },
  post: {
    added: 'Post added successfully!',
    updated: 'Post updated successfully!',
    deleted: 'Post deleted successfully!',
    addFailed: 'Failed to add post',
    updateFailed: 'Failed to update post',
    deleteFailed: 'Failed to delete post',
    confirmDelete: 'Delete this post?',
  },
  time: {
    justNow: 'Just now',
    justNowInSentence: 'just now',
    minutesAgo: (count: number) => (count === 1 ? '1 minute ago' : `${count} minutes ago`),
    hoursAgo: (count: number) => (count === 1 ? '1 hour ago' : `${count} hours ago`),
    daysAgo: (count: number) => (count === 1 ? '1 day ago' : `${count} days ago`),
  },
}
