import type { ReactNode } from 'react'
import type { Platform } from '../../../server/contract/files/platforms'
import type { Subscriptions } from '../../../server/contract/projects/subscriptions'
import {
  aptLines,
  fdroidAddresses,
  npmLines,
  pacmanLines,
  pipLine,
  rpmLines,
  spaceFingerprint,
} from '../../../server/texts/subscription-lines'
import { runsOn } from '../../../server/texts/updates/client-platforms'
import {
  builtInFeed,
  isBuiltIn,
  updaterCard,
  type UpdaterCard,
} from '../../../server/texts/updates/updater-cards'
import { proofCommands } from '../../../server/texts/verify-commands'
import { CodeIcon } from '../parts/icons'
import { CopyButton } from '../parts/send'
import type { PageProps } from './page-props'
import { Alone } from './project-sidebar'

type Client = Subscriptions['clients'][number]

/** A card for each program that installs the releases of this project and keeps them up to date. */
export function GetUpdates(props: PageProps) {
  const { clients } = props.page.subscriptions
  if (clients.length === 0) return null
  const { own, others } = sortByDevice(clients, props.device)

  const cards = (some: readonly Client[]) =>
    some.map((client) => <ClientCard key={client.client} {...props} client={client} />)

  return (
    <section aria-labelledby="get-updates">
      <h2 id="get-updates">Get updates</h2>
      <p>Add this project once, and each release comes with your other updates.</p>
      {props.programBase !== undefined && props.programBase !== props.base && (
        <p>The addresses below contain a key instead of the password. Do not share them.</p>
      )}
      <Alone {...props} sentence="Only this computer can open these addresses." />
      <div className="clients">
        {cards(own)}
        {others.length > 0 && (
          <details>
            <summary>On other devices</summary>
            <div className="clients">{cards(others)}</div>
          </details>
        )}
        <BuiltInFeeds {...props} />
      </div>
    </section>
  )
}

/** Programs for other devices are folded if there are some for the visitor's own. */
function sortByDevice(clients: readonly Client[], device: Platform | undefined) {
  const people = clients.filter(({ client }) => !isBuiltIn(client))
  const own = device === undefined ? [] : people.filter(({ client }) => runsOn(device, client))
  return own.length === 0
    ? { own: people, others: [] }
    : { own, others: people.filter((it) => !own.includes(it)) }
}

/** Addresses that programs request. */
const addressOf = ({ host, base, programBase }: Pick<PageProps, 'host' | 'base' | 'programBase'>) =>
  host.url + (programBase ?? base)

function ClientCard({ client, project, Code, ...props }: PageProps & { client: Client }) {
  const address = addressOf(props)

  switch (client.client) {
    case 'apt':
      return (
        <Card title="apt" systems="Debian, Ubuntu and others">
          <Lines lines={aptLines(address, project.slug, client)} what="for apt" />
          {client.fingerprint !== null && <Fingerprint of={client.fingerprint} />}
        </Card>
      )
    case 'rpm': {
      const { dnf, zypper } = rpmLines(address, project.slug, client)
      return (
        <Card title="dnf and zypper" systems="Fedora, openSUSE and others">
          <Lines lines={dnf} what="for dnf" />
          <Lines lines={zypper} what="for zypper" />
          {client.fingerprint !== null && <Fingerprint of={client.fingerprint} />}
        </Card>
      )
    }
    case 'pacman':
      return (
        <Card title="pacman" systems="Arch Linux, SteamOS and others">
          <Lines lines={pacmanLines(address, project.slug, client)} what="for pacman" />
          {client.fingerprint !== null && <Fingerprint of={client.fingerprint} />}
        </Card>
      )
    case 'pip':
      return (
        <Card title="pip" systems="Python">
          <Lines lines={pipLine(address, client)} what="for pip" />
        </Card>
      )
    case 'npm':
      return (
        <Card title="npm" systems="Node.js">
          <Lines lines={npmLines(address, client)} what="for npm" />
        </Card>
      )
    case 'fdroid':
      return (
        <Card title="F-Droid" systems="Android">
          {client.fingerprint === null ? (
            <p>This host is preparing the repository. Reload this page in a few seconds.</p>
          ) : (
            <Repository {...fdroidAddresses(address, client)} Code={Code} />
          )}
          {client.fingerprint !== null && <Fingerprint of={client.fingerprint} />}
        </Card>
      )
    default: {
      const card = updaterCard(address, project.slug, client)
      return card ? <Updater card={card} Code={Code} /> : null
    }
  }
}

function Updater({ card, Code }: { card: UpdaterCard } & Pick<PageProps, 'Code'>) {
  const { title, systems, links, lines, feeds, note } = card

  return (
    <Card title={title} systems={systems}>
      {lines !== undefined && <Lines lines={lines} what={`for ${title}`} />}
      {feeds !== undefined && (
        <div className="client-actions">
          {links?.map(({ label, address }) => (
            <a key={label} className="button quiet small" href={address}>
              {label}
            </a>
          ))}
          {feeds.map((feed) => (
            <CopyButton
              key={feed.label}
              value={feed.address}
              label={feed.label}
              what={`for ${title}`}
            />
          ))}
          {links?.[0] && (
            <QrCode value={links[0].address} hint="Scan it with the device." Code={Code} />
          )}
        </div>
      )}
      {note !== undefined && <Note text={note} />}
    </Card>
  )
}

/** For the app's developer: the updater requests these addresses. */
function BuiltInFeeds({ page, ...props }: PageProps) {
  const feeds = page.subscriptions.clients.flatMap(
    (client) => builtInFeed(addressOf(props), client) ?? [],
  )
  if (feeds.length === 0) return null

  return (
    <Card title="The app itself" systems="for its developers">
      <details>
        <summary>Addresses for its updater</summary>
        {feeds.map(({ label, feed, missing }) => (
          <div key={label} className="client-feed">
            <p className="fine">{label}</p>
            <Lines lines={feed} what={`for ${label}`} />
            {missing.length > 0 && (
              <p className="fine">Not signed yet. Add to the release: {missing.join(', ')}</p>
            )}
          </div>
        ))}
      </details>
    </Card>
  )
}

function Card({
  title,
  systems,
  children,
}: {
  title: string
  systems: string
  children: ReactNode
}) {
  return (
    <article className="client" aria-label={title}>
      <h3>
        {title} <span className="fine">{systems}</span>
      </h3>
      {children}
    </article>
  )
}

function Repository({
  repository,
  opens,
  Code,
}: ReturnType<typeof fdroidAddresses> & Pick<PageProps, 'Code'>) {
  return (
    <div className="client-actions">
      <a className="button quiet small" href={opens}>
        Add to F-Droid
      </a>
      <CopyButton value={repository} label="Copy address" what="of the F-Droid repository" />
      <QrCode value={repository} hint="Scan it in F-Droid, under Repositories." Code={Code} />
    </div>
  )
}

const QrCode = ({
  value,
  hint,
  Code,
}: { value: string; hint: string } & Pick<PageProps, 'Code'>) => (
  <details>
    <summary className="button quiet small">
      <CodeIcon size={16} /> QR code
    </summary>
    <div className="code">
      <p>{hint}</p>
      <Code value={value} />
    </div>
  </details>
)

/** Lines for a terminal, to copy. What continues a line on a narrow screen is indented. */
const Lines = ({ lines, what }: { lines: string; what: string }) => (
  <div className="lines">
    <pre className="command">
      {lines.split(/(?<=\n)/).map((line) => (
        <code key={line}>{line}</code>
      ))}
    </pre>
    <CopyButton value={lines} label="Copy" what={`the lines ${what}`} />
  </div>
)

/** A sentence with commands between backticks. */
const Note = ({ text }: { text: string }) => (
  <p className="fine">
    {text
      .split('`')
      .map((part, index) => (index % 2 === 0 ? part : <code key={part}>{part}</code>))}
  </p>
)

const Fingerprint = ({ of }: { of: string }) => (
  <p className="fine">
    Key of this host: <code>{spaceFingerprint(of)}</code>
  </p>
)

/** The lines that check where the files of a release come from. */
export function Proof({ page: { subscriptions, release }, ...props }: PageProps) {
  const { proof } = subscriptions
  if (!proof || !release) return null

  return (
    <details className="proof">
      <summary>Check where these files come from</summary>
      <p>
        This host signs the list of the files of <bdi>{release.version}</bdi>. Run one of these in
        the folder of your downloads, and compare the key with the one that its owner gave you
        another way.
      </p>
      <h3>minisign</h3>
      <Lines lines={lineOf('minisign')} what="for minisign" />
      <h3>OpenPGP and SHA-256</h3>
      <Lines lines={lineOf('gpgv')} what="for gpgv" />
      <Fingerprint of={proof.openpgp} />
    </details>
  )

  function lineOf(tool: string): string {
    const commands = proofCommands(addressOf(props), release?.version ?? '', proof?.minisign ?? '')
    return commands.find((it) => it.tool === tool)?.command ?? ''
  }
}
