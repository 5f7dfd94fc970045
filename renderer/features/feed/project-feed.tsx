/** The updates of a project with infinite scroll: for the owner's page and for the public page alike (being built). */
export function ProjectFeed(_: { projectId: string; canPost: boolean }) {
  return null
}
