import type { ReactNode } from 'react'
import type { Subscriptions } from '../../../server/contract/projects/subscriptions'
import {
  builtInFeed,
  runsOn,
  updaterCard,
} from '../../../server/contract/update-clients/update-clients'
import { proofCommands } from '../../../server/texts/verify-commands'
import { CodeIcon } from '../parts/icons'
import { CopyButton } from '../parts/send'
import type { PageProps } from './page-props'
import { Alone } from './project-sidebar'

type Client = Subscriptions['clients'][number]

/**
 * The programs that install the releases of this project and keep them up to date: all of them for
 * its members, one folded line for visitors.
 */
export function GetUpdates(props: PageProps) {
  const { page, project, tester, device } = props
  const { clients } = page.subscriptions
  if (clients.length === 0) return null
  if (project.role !== null && !tester) return <AllClients {...props} />

  const people = clients.filter(({ client }) => runsOn(client))
  const own = people.filter(({ client }) => device !== undefined && runsOn(client, device))
  const others = people.filter((it) => !own.includes(it))
  // A command for a computer is of no use on a phone.
  if (own.length === 0 && (device === 'Android' || device === 'iOS')) return null

  return (
    <details className="get-updates">
      <summary>
        Get updates automatically <span className="fine">{listNames(own, props)}</span>
      </summary>
      <Introduction {...props} />
      <div className="clients">
        <Cards {...props} clients={own} />
        {others.length > 0 && (
          <details open={own.length === 0}>
            <summary>On other devices</summary>
            <div className="clients">
              <Cards {...props} clients={others} />
            </div>
          </details>
        )}
        <BuiltInFeeds {...props} />
      </div>
    </details>
  )
}

/** For members: what their project already is, one row for each program. */
function AllClients(props: PageProps) {
  const people = props.page.subscriptions.clients.filter(({ client }) => runsOn(client))

  return (
    <section aria-labelledby="get-updates">
      <h2 id="get-updates">Get updates</h2>
      <Introduction {...props} />
      <div className="client-table">
        <Cards {...props} clients={people} isFolded />
        <BuiltInFeeds {...props} isFolded />
      </div>
    </section>
  )
}

const Introduction = (props: PageProps) => (
  <>
    <p>Add this project once, and each release comes with your other updates.</p>
    {props.programBase !== undefined && props.programBase !== props.base && (
      <p>The addresses below contain a key instead of the password. Do not share them.</p>
    )}
    <Alone {...props} sentence="Only this computer can open these addresses." />
  </>
)

type CardsProps = PageProps & { clients: readonly Client[]; isFolded?: boolean }

const Cards = ({ clients, ...props }: CardsProps) =>
  clients.map((client) => <ClientCard key={client.client} {...props} client={client} />)

/** The most programs that the folded line names. */
const NAMED = 3

/** 'F-Droid, Obtainium', for the folded line. */
function listNames(clients: readonly Client[], props: PageProps): string {
  const titles = clients.flatMap((client) => describeCard(client, props)?.title ?? [])
  return titles.slice(0, NAMED).join(', ') + (titles.length > NAMED ? ' and others' : '')
}

/** Addresses that programs request. */
const addressOf = ({ host, base, programBase }: Pick<PageProps, 'host' | 'base' | 'programBase'>) =>
  host.url + (programBase ?? base)

const describeCard = (client: Client, { project, ...props }: PageProps) =>
  updaterCard(client.client, { ...client, address: addressOf(props), slug: project.slug })

interface Folded {
  /** As a row that a click unfolds. */
  isFolded?: boolean | undefined
}

function ClientCard({ client, isFolded, ...props }: PageProps & Folded & { client: Client }) {
  const { Code } = props
  const card = describeCard(client, props)
  if (!card) return null
  const { title, systems, links, scan, lines = {}, feeds, note } = card

  return (
    <Card title={title} systems={systems} isFolded={isFolded}>
      {Object.entries(lines).map(([program, text]) => (
        <Lines key={program} lines={text} what={`for ${program}`} />
      ))}
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
          {scan && <QrCode value={scan.address} hint={scan.hint} Code={Code} />}
        </div>
      )}
      {note !== undefined && <Note text={note} />}
      {client.asks !== undefined && <Note text={client.asks} />}
      {client.fingerprint !== null && <Fingerprint of={client.fingerprint} />}
    </Card>
  )
}

/** For the developers of the app: its updater asks these addresses. */
function BuiltInFeeds({ page, project, isFolded, ...props }: PageProps & Folded) {
  const address = addressOf(props)
  const feeds = page.subscriptions.clients.flatMap(({ client, unsigned = [], ...offer }) => {
    const feed = builtInFeed(client, { ...offer, address, slug: project.slug })
    return feed ? [{ ...feed, missing: unsigned.map((name) => `${name}.sig`) }] : []
  })
  if (feeds.length === 0) return null

  const list = feeds.map(({ label, feed, missing }) => (
    <div key={label} className="client-feed">
      <p className="fine">{label}</p>
      <Lines lines={feed} what={`for ${label}`} />
      {missing.length > 0 && (
        <p className="fine">Not signed yet. Add to the release: {missing.join(', ')}</p>
      )}
    </div>
  ))

  return (
    <Card title="The app itself" systems="for its developers" isFolded={isFolded}>
      {isFolded ? (
        list
      ) : (
        <details>
          <summary>Addresses for its updater</summary>
          {list}
        </details>
      )}
    </Card>
  )
}

type CardProps = Folded & { title: string; systems: string; children: ReactNode }

function Card({ title, systems, isFolded, children }: CardProps) {
  if (isFolded)
    return (
      <details className="client-row">
        <summary>
          <span>{title}</span> <span className="fine">{systems}</span>
        </summary>
        {children}
      </details>
    )

  return (
    <article className="client" aria-label={title}>
      <h3>
        {title} <span className="fine">{systems}</span>
      </h3>
      {children}
    </article>
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

/** A fingerprint in groups of four. */
const groupDigits = (fingerprint: string) => fingerprint.replace(/.{4}(?=.)/g, '$& ')

const Fingerprint = ({ of }: { of: string }) => (
  <p className="fine">
    Key of this host: <code>{groupDigits(of)}</code>
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
