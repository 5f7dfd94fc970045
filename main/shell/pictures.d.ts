/** An image that the build inlines as a data: URL. */
declare module '*.png?inline' {
  const dataUrl: string
  export default dataUrl
}
