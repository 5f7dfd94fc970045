/** A picture that the build puts into the bundle as a data: URL. */
declare module '*.png?inline' {
  const dataUrl: string
  export default dataUrl
}
