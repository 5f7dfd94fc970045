import type { ReactNode } from 'react'
import type { Subscriptions } from '../../../server/contract/projects/subscriptions'
import { aptLines, fdroidAddresses, rpmLines, spaced, writerLines } from '../../../server/texts/subscription-lines'
import { proofCommands } from '../../../server/texts/verify-commands'
import { CodeIcon } from '../parts/icons'
import { CopyButton } from '../parts/send'
import type { PageProps } from './page-props'

type Client = Subscriptions['clients'][number]

/** A card for each program that installs the releases of this project and keeps them up to date. */
export function GetUpdates(props: PageProps) {
  const { clients } = props.page.subscriptions
  if (clients.length === 0) return null
  return (
    <section aria-labelledby="get-updates">
      <h2 id="get-updates">Get updates</h2>
      <p>Add this project once, and each release comes with your other updates.</p>
      <div className="clients">
        {clients.map((client) => (
          <ClientCard key={client.client} {...props} client={client} />
        ))}
      </div>
    </section>
  )
}

function ClientCard({ client, host, base, project, Code }: PageProps & { client: Client }) {
  const address = host.url + base
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
    default:
      return <WriterCard client={client} address={address} />
  }
}

const WRITERS = {
  imager: ['Raspberry Pi Imager', 'Or in it: App Options › Content Repository › Use custom URL'],
  'esp-web-tools': ['ESP Web Tools', 'For a page of yours that installs this firmware over USB'],
  esphome: ['ESPHome', 'Devices with these lines find each release by themselves'],
} as const

/** A program that writes images to cards, or firmware to boards. */
function WriterCard({ client, address }: { client: Client; address: string }) {
  const [title, note] = WRITERS[client.client as keyof typeof WRITERS]
  const { list, lines } = writerLines(address, client)
  return (
    <Card title={title} systems={client.client === 'imager' ? 'Cards and drives' : 'Boards with ESP chips'}>
      <Lines lines={lines} what={`for ${title}`} />
      <p className="fine">{note}.</p>
      <div>
        <CopyButton value={list} label="Copy address" what={`for ${title}`} />
      </div>
    </Card>
  )
}

function Card({ title, systems, children }: { title: string; systems: string; children: ReactNode }) {
  return (
    <article className="client" aria-label={title}>
      <h3>
        {title} <span className="fine">{systems}</span>
      </h3>
      {children}
    </article>
  )
}

function Repository({ repository, opens, Code }: ReturnType<typeof fdroidAddresses> & Pick<PageProps, 'Code'>) {
  return (
    <div className="client-actions">
      <a className="button quiet small" href={opens}>
        Add to F-Droid
      </a>
      <CopyButton value={repository} label="Copy address" what="of the F-Droid repository" />
      <details>
        <summary className="button quiet small">
          <CodeIcon size={16} /> QR code
        </summary>
        <div className="code">
          <p>Scan it in F-Droid, under Repositories.</p>
          <Code value={repository} />
        </div>
      </details>
    </div>
  )
}

/** Lines for a terminal, to copy. */
const Lines = ({ lines, what }: { lines: string; what: string }) => (
  <>
    <pre className="command">
      <code>{lines}</code>
    </pre>
    <div>
      <CopyButton value={lines} label="Copy" what={`the lines ${what}`} />
    </div>
  </>
)

const Fingerprint = ({ of }: { of: string }) => (
  <p className="fine">
    Key of this host: <code>{spaced(of)}</code>
  </p>
)

/** The lines that check where the files of a release come from. */
export function Proof({ page: { subscriptions, release }, host, base }: PageProps) {
  const { proof } = subscriptions
  if (!proof || !release) return null
  return (
    <details className="proof">
      <summary>Check where these files come from</summary>
      <p>
        This host signs the list of the files of <bdi>{release.version}</bdi>. Run one of these in the folder of your
        downloads, and compare the key with the one that its owner gave you another way.
      </p>
      <h3>minisign</h3>
      <Lines lines={lineOf('minisign')} what="for minisign" />
      <h3>OpenPGP and SHA-256</h3>
      <Lines lines={lineOf('gpgv')} what="for gpgv" />
      <Fingerprint of={proof.openpgp} />
    </details>
  )

  function lineOf(tool: string): string {
    const commands = proofCommands(host.url + base, release?.version ?? '', proof?.minisign ?? '')
    return commands.find((it) => it.tool === tool)?.command ?? ''
  }
}
