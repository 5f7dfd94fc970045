import { extensionOf } from '../../../server/texts/filename'

/** What a file is that is no build. */
export type Media = 'archive' | 'image' | 'video' | 'audio' | 'text' | 'code'

const extensions: Record<Media, string> = {
  archive: 'tar gz xz bz2 rar zst',
  image: 'png jpg jpeg gif webp avif svg ico bmp',
  video: 'mp4 mov mkv webm avi',
  audio: 'mp3 wav flac ogg m4a',
  text: 'txt md pdf doc docx odt rtf csv log',
  code: 'js ts json html css xml yml yaml sh py java kt swift c h cpp rs go',
}
const media = new Map(
  (Object.entries(extensions) as [Media, string][]).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind] as const),
  ),
)

/** The kind of a file by its extension, for its icon. Undefined: any other. */
export const mediaOf = (filename: string): Media | undefined => media.get(extensionOf(filename))
