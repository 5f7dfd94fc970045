import { PictureStore } from '../features/pictures/picture-store'
import { PictureMaker } from '../libraries/picture-maker/picture-maker'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'

/** Composes the pictures of projects. */
export function composePictures(
  { config, data: { library, blobs }, sources, log }: Foundation,
  { trash }: Files,
  { store: projects }: Projects,
) {
  return {
    store: new PictureStore({ library, blobs, projects, trash, sources }),
    maker: new PictureMaker(log, config.pictureMaker),
  }
}
