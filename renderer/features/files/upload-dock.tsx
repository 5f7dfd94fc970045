/** Running uploads on every page but /my-files: mount once in the signed-in frame (being built; the route and the export name stay). */
export function UploadDock() {
  return null
}
