import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandUbuntu,
  IconBrandWindows,
  IconCoffee,
  IconCpu,
  IconDisc,
  IconFile,
  IconFileCode,
  IconFileText,
  IconFileZip,
  IconMusic,
  IconPhoto,
  IconVideo,
  type Icon,
} from '@tabler/icons-react'
import { createElement } from 'react'
import { extensionOf } from '../../../server/texts/filename'
import { AppIcon } from '../app-icon'

const kinds: readonly [Icon, string][] = [
  [IconBrandAndroid, 'apk aab xapk apkm'],
  [IconBrandApple, 'ipa dmg pkg'],
  [IconBrandWindows, 'exe msi msix msixbundle appx appxbundle'],
  [IconBrandUbuntu, 'appimage deb rpm snap flatpak'],
  [IconCoffee, 'jar'],
  [IconDisc, 'iso img img.xz img.gz img.zst qcow2 vmdk ova'],
  [IconCpu, 'bin uf2 hex dfu'],
  [IconFileZip, 'zip tar gz tgz tar.gz xz bz2 7z rar zst'],
  [IconPhoto, 'png jpg jpeg gif webp avif svg ico bmp'],
  [IconVideo, 'mp4 mov mkv webm avi'],
  [IconMusic, 'mp3 wav flac ogg m4a'],
  [IconFileText, 'txt md pdf doc docx odt rtf csv log'],
  [IconFileCode, 'js ts json html css xml yml yaml sh py java kt swift c h cpp rs go'],
]
const pictures = new Map(
  kinds.flatMap(([picture, names]) => names.split(' ').map((name) => [name, picture] as const)),
)

interface FileIconProps {
  filename: string
  /** Address of the icon of the app inside. */
  icon?: string | null | undefined
  size?: number
}

/**
 * The icon of an app, or of a file type; hidden from screen readers because the name says the same.
 */
export function FileIcon({ filename, icon, size = 20 }: FileIconProps) {
  const ofType = <TypeIcon filename={filename} size={size} />
  return icon ? <AppIcon src={icon} size={size} fallback={ofType} /> : ofType
}

function TypeIcon({ filename, size }: { filename: string; size: number }) {
  return createElement(pictures.get(extensionOf(filename)) ?? IconFile, {
    size,
    stroke: 1.5,
    color: 'var(--mantine-color-dimmed)',
    style: { flexShrink: 0 },
    'aria-hidden': true,
  })
}
