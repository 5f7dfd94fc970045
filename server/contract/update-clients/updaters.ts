import type { Updater } from './client'

/** The updaters inside of apps, and the browsers that update extensions. */
export const updaters = {
  sparkle: {
    builtIn: ({ address, channel }) => ({
      label: 'Sparkle and WinSparkle: SUFeedURL',
      feed: `${address}/feeds/sparkle/${channel}/appcast.xml`,
    }),
  },
  tauri: {
    builtIn: ({ address, channel }) => ({
      label: 'Tauri: endpoints',
      feed: `${address}/feeds/tauri/${channel}/latest.json`,
    }),
  },
  squirrel: {
    builtIn: ({ address, channel }) => ({
      label: 'Squirrel.Windows: the address of updates',
      feed: `${address}/feeds/squirrel/${channel}`,
    }),
  },
  zsync: {
    builtIn: ({ address, channel, names }) => ({
      label: 'AppImage: its update information, by appimagetool -u',
      feed: names
        .map((processor) => `zsync|${address}/feeds/zsync/${channel}/${processor}.zsync`)
        .join('\n'),
    }),
  },
  firefox: {
    builtIn: ({ address, channel }) => ({
      label: 'Firefox: update_url in manifest.json',
      feed: `${address}/feeds/firefox/${channel}/updates.json`,
    }),
  },
  chromium: {
    builtIn: ({ address, channel }) => ({
      label: 'Chrome and Chromium: update_url in manifest.json',
      feed: `${address}/feeds/chromium/${channel}/updates.xml`,
    }),
  },
} satisfies Readonly<Record<string, Updater>>
