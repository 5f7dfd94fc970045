/** The most pixels of one size of a picture. */
export interface Size {
  width: number
  height: number
}

/** How a picture is fitted into each of its sizes, the largest first. What is smaller is not enlarged. */
export interface Shape {
  /** `contain`: the whole picture on a transparent box. `cover`: a part of it fills the box. `inside`: all, without a box. */
  fit: 'contain' | 'cover' | 'inside'
  sizes: readonly Size[]
}
