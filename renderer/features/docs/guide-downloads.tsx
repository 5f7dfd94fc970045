import { useHost } from '../../lib/host/host'
import { limitWords } from '../../lib/texts/format'
import { CodePanel } from './code-panel'
import { CodeTabs } from './code-tabs'
import { guideExamples } from './examples/guide-examples'
import { InlineCode } from './inline-code'
import { Section } from './section'

/** How to download and check. */
export function Downloads({ base }: { base: string }) {
  const examples = Object.entries(guideExamples.download).map(
    ([name, write]) => [name, () => write(base)] as const,
  )

  return (
    <Section
      anchor="downloads"
      title="Download and check"
      code={<CodeTabs title="Download a project and check it" examples={examples} />}
    >
      <p>
        Every download is resumable: it has a length, ranges, and an <InlineCode text="ETag" /> that
        is the SHA-256 of the bytes, also the zip of a whole project. For a whole file,{' '}
        <InlineCode text="Repr-Digest" /> and <InlineCode text="Content-Digest" /> are the same
        SHA-256. <InlineCode text="SHA256SUMS" /> lists all files of a project.
      </p>
      <p>
        <InlineCode text="/api/files/public/{username}/{file_id}/{sha256}/download" /> is an address
        whose bytes never change, which proxies and CI caches may keep for a year. When the file is
        made private or deleted, this host answers 404 immediately; caches may still serve their
        copy. The address without the digest is revalidated on each request.
      </p>
      <p>
        <InlineCode text="/api/projects/{project}/latest/{filename}" /> is a fixed address whose
        bytes change: the newest public file of that name on a public project.
      </p>
      <p>
        A host can have large public files in a bucket, which sends them faster. Visitors from other
        networks then get <InlineCode text="302" /> with an address that works for a short time:
        follow redirects (
        <InlineCode text="curl -L" />) and keep the address of this host. The name, the bytes and
        ranges are the same, the <InlineCode text="ETag" /> is another. The download is counted when
        handed to the bucket. Requests with an API key, <InlineCode text="HEAD" />, several ranges,
        zips and tester links are answered by this host, and so is everything with{' '}
        <InlineCode text="?from=host" />.
      </p>
    </Section>
  )
}

/** How to follow a project with updaters and feed readers. */
export function Feeds({ base }: { base: string }) {
  const code = <CodePanel title="electron-builder.yml" code={guideExamples.electronBuilder(base)} />

  return (
    <Section anchor="updates" title="Updates and feeds" code={code}>
      <p>
        <strong>Electron apps</strong> update themselves from a public project with
        electron-updater. Write its address into the configuration once; then uploading a build with
        its version is all. Installed apps download only the blocks that changed.{' '}
        <InlineCode text="beta.yml" /> offers the channel <InlineCode text="beta" /> and newer
        stable releases. The version must be semver, such as <InlineCode text="1.4.0" />; macOS
        needs the app as a zip, with <InlineCode text="arm64" /> in its name for Apple silicon.
      </p>
      <p>
        The host makes the block maps of <InlineCode text=".exe" /> and macOS{' '}
        <InlineCode text=".zip" /> files when no transfers run, so the first minutes after an upload
        can cost whole downloads. You do not need to upload <InlineCode text="latest.yml" /> or{' '}
        <InlineCode text=".blockmap" /> files.
      </p>
      <p>
        <strong>Package managers</strong> take releases from a public project, too: it is an apt
        repository for its <InlineCode text=".deb" /> files, one for dnf and zypper for its{' '}
        <InlineCode text=".rpm" /> files, and an F-Droid repository for its{' '}
        <InlineCode text=".apk" /> files. There is nothing to configure. Visitors find the lines to
        add it under <i>Get updates</i> on the page of the project, testers on the page of their
        link. A release is in the repository with the version that its package states, and the
        newest 200 releases are listed. This host signs the repositories with keys of its own, which
        are in backups but in no other copy: without them people have to add the repository again.
        On the page of a tester link with a password the lines contain a key instead, which ends
        with the password.
      </p>
      <p>
        <strong>Stores and updaters</strong> have feeds there as well, each for the files that it
        takes: Obtainium, AltStore and SideStore, winget, Scoop, Homebrew and Vagrant, and for apps
        that update themselves Sparkle, WinSparkle, Tauri, Squirrel.Windows, zsync, and the
        extensions of Firefox and Chromium. Sparkle and Tauri check a signature that only you can
        make: add it to the release as <InlineCode text="NAME.sig" />, as{' '}
        <InlineCode text="sign_update" /> or <InlineCode text="tauri signer sign" /> wrote it.
        Podman and Docker pull <InlineCode text=".oci.tar" /> files, which{' '}
        <InlineCode text="podman save --format oci-archive" /> makes, by the slug of the project.
        winget adds the project as a source if this host has HTTPS. For Homebrew and Scoop it is a
        Git repository, which keeps what it has listed: who clones it sees the names of earlier
        versions, also of those that you have withdrawn.
      </p>
      <p>
        <strong>Images and firmware</strong> are written by other programs: Raspberry Pi Imager
        takes a list of the <InlineCode text=".img" /> files of a channel, ESP Web Tools a manifest
        of copies of the flash of ESP chips, and devices with ESPHome a manifest of apps to update
        themselves. Their addresses are under <i>Get updates</i>, too.
      </p>
      <p>
        <strong>Where a file comes from</strong> is said by <InlineCode text="MANIFEST" /> with a
        minisign signature and <InlineCode text="SHA256SUMS" /> with an OpenPGP signature. The page
        of each release has the lines that check them.
      </p>
      <p>
        <strong>Feed readers</strong> follow a public project at{' '}
        <InlineCode text="/p/{project}/feeds/atom.xml" /> or{' '}
        <InlineCode text="/p/{project}/feeds/feed.json" />: its releases with their files and notes,
        and its news. Drafts, withdrawn releases and private files are in no feed, also for you.
      </p>
      <p>
        <strong>Other sites</strong> show a badge of a public project from{' '}
        <InlineCode text="/p/{project}/badge.svg" /> (<InlineCode text="?metric=downloads" /> for
        its downloads), and a card from <InlineCode text="/p/{project}/card" /> in an{' '}
        <InlineCode text="iframe" />.
      </p>
    </Section>
  )
}

/** The largest file that this host takes, as `2GB`. */
export const LargestFile = () => limitWords(useHost().largest_file).replace(' ', '')
