/** A file to upload: real bytes from node_modules under another name. */
export interface Upload {
  from: string
  name: string
  isPublic: boolean
  version?: string
  platform?: string
}

interface Project {
  title: string
  short_description: string
  description: string
  is_public: boolean
  project_url?: string
  files: Upload[]
  posts: string[]
  collaborators: string[]
}

interface Person {
  username: string
  projects: Project[]
  files: Upload[]
}

const apk = 'android-apidemos/apks/ApiDemos-debug.apk'
const sevenZip = (arch: string) => `electron-winstaller/vendor/7z-${arch}.exe`

const apiDemos: Project = {
  title: 'API Demos',
  short_description: 'Every view, animation and sensor of Android in one app to try them out',
  description: [
    'API Demos shows what Android can do, one small screen at a time: views, layouts, menus, ' +
      'animations, graphics, media, notifications and sensors.',
    'Install it on a device, open a screen, then read its source beside it. Test authors use ' +
      'it as a well-known target for automation: its screens have not moved in years.',
    'Needs Android 5.0 or later. No account, no network, no tracking.',
  ].join('\n\n'),
  is_public: true,
  project_url: 'https://github.com/appium/android-apidemos',
  files: [
    {
      from: apk,
      name: 'ApiDemos-1.0.0.apk',
      isPublic: true,
      version: '1.0.0',
      platform: 'Android',
    },
    {
      from: apk,
      name: 'ApiDemos-1.1.0.apk',
      isPublic: true,
      version: '1.1.0',
      platform: 'Android',
    },
    {
      from: apk,
      name: 'ApiDemos-1.2.0-beta.1.apk',
      isPublic: false,
      version: '1.2.0-beta.1',
      platform: 'Android',
    },
    { from: 'android-apidemos/README.md', name: 'ReadMe.md', isPublic: true },
  ],
  posts: [
    'The first public build is up. Tell me what breaks on your device.',
    '1.1.0 is out: the seek bar screen no longer closes when you rotate the device, and the ' +
      'APK is signed with the new key.',
    'A beta of 1.2.0 is with the testers. If you want to be one, send me your username.',
  ],
  collaborators: ['bob'],
}

const nightly: Project = {
  title: 'Nightly builds',
  short_description: 'What the CI made last night; not for the public',
  description: 'Uploaded by the CI with an API key. Old builds are removed by hand.',
  is_public: false,
  files: [
    {
      from: apk,
      name: 'ApiDemos-nightly.apk',
      isPublic: false,
      version: '1.3.0-nightly',
      platform: 'Android',
    },
  ],
  posts: [],
  collaborators: [],
}

const sevenZipTools: Project = {
  title: '7-Zip command line',
  short_description: 'The console version of 7-Zip for Windows, for x64 and ARM',
  description:
    'One file, no installer: put it on your PATH and pack or unpack 7z, zip, gzip, bzip2 and tar.',
  is_public: true,
  project_url: 'https://www.7-zip.org',
  files: [
    {
      from: sevenZip('x64'),
      name: '7z-x64.exe',
      isPublic: true,
      version: '21.07',
      platform: 'Windows x64',
    },
    {
      from: sevenZip('arm64'),
      name: '7z-arm64.exe',
      isPublic: true,
      version: '21.07',
      platform: 'Windows ARM',
    },
  ],
  posts: ['Both builds are here now. The ARM one was checked on a Surface Pro.'],
  collaborators: [],
}

export const world: Person[] = [
  {
    username: 'host',
    projects: [],
    files: [{ from: 'android-apidemos/LICENSE', name: 'House rules.txt', isPublic: true }],
  },
  {
    username: 'alice',
    projects: [apiDemos, nightly],
    files: [
      { from: 'typescript/lib/typescript.js', name: 'typescript.js', isPublic: false },
      { from: '@mantine/core/styles.css', name: 'Mantine styles.css', isPublic: true },
    ],
  },
  {
    username: 'bob',
    projects: [sevenZipTools],
    files: [{ from: 'react/README.md', name: 'notes.md', isPublic: false }],
  },
]
