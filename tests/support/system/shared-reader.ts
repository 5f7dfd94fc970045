import {
  PackageReader,
  type PackageJob,
} from '../../../server/libraries/package-reader/package-reader'
import {
  PictureMaker,
  type PictureJob,
} from '../../../server/libraries/picture-maker/picture-maker'
import type { Card } from '../../../server/libraries/picture-maker/pictures'
import { TestLog } from '../world/test-log'

const reader = new PackageReader(new TestLog())
const maker = new PictureMaker(new TestLog())

/**
 * The reader of packages for all hosts of this process: starting a worker from the source takes 0.2
 * s of CPU.
 */
export const sharedReader = {
  look: (job: PackageJob) => reader.look(job),
  close: () => Promise.resolve(),
}

/** The same for pictures. */
export const sharedMaker = {
  make: (job: PictureJob) => maker.make(job),
  draw: (card: Card, key: string) => maker.draw(card, key),
  close: () => Promise.resolve(),
}
