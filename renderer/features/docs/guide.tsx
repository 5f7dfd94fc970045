import { Anchor, Table } from '@mantine/core'
import { Link } from 'react-router-dom'
import {
  errorStatus,
  GB,
  LIST_PAGE_SIZE,
  LISTED_PROJECT,
  MB,
  TB,
  tierQuota,
  type Tier,
} from '../../../server/contract'
import { paths } from '../../paths'
import { ciSnippets } from '../../lib/ci/snippets'
import { useTarget } from '../../lib/ci/use-target'
import { CodePanel } from './code-panel'
import { CodeTabs } from './code-tabs'
import { Bucket } from './guide-bucket'
import { Downloads, Feeds, LargestFile } from './guide-downloads'
import { guideExamples } from './examples/guide-examples'
import { InlineCode, MarkedText } from './inline-code'
import { Section } from './section'
import { statusTexts } from './texts'

export function Guide({ base }: { base: string }) {
  return (
    <>
      <Start base={base} />
      <Authentication base={base} />
      <Publish base={base} />
      <Downloads base={base} />
      <Feeds base={base} />
      <Bucket />
      <Replies />
      <Limits />
    </>
  )
}

export const guideSections = [
  { anchor: 'start', title: 'Start' },
  { anchor: 'authentication', title: 'Authentication' },
  { anchor: 'publish', title: 'Publish from CI' },
  { anchor: 'downloads', title: 'Download and check' },
  { anchor: 'updates', title: 'Updates and feeds' },
  { anchor: 'bucket', title: 'Downloads from a bucket' },
  { anchor: 'replies', title: 'Replies and errors' },
  { anchor: 'limits', title: 'Limits' },
]

function Start({ base }: { base: string }) {
  const code = (
    <>
      <CodePanel title="Address of this host" code={base} />
      <CodePanel title="Types for TypeScript" code={guideExamples.makeTypes(base)} />
      <CodePanel title="A typed call" code={guideExamples.useTypes(base)} />
    </>
  )

  return (
    <Section anchor="start" title="Start" code={code}>
      <p>
        The pages of this host use only the calls on this page. Requests and replies are JSON,
        except for the bytes of files. Times are UTC in ISO 8601, sizes are bytes.
      </p>
      <p>
        The examples contain the address of this host, so you can paste them unchanged. Tools can
        read the whole API from{' '}
        <Anchor href={paths.openapi} download="openapi.json" inherit>
          openapi.json
        </Anchor>
        , and generators make typed clients from it for most languages.
      </p>
    </Section>
  )
}

function Authentication({ base }: { base: string }) {
  const code = (
    <>
      <CodePanel title="With an API key" code={guideExamples.useKey(base)} />
      <CodePanel title="With a session" code={guideExamples.signIn(base)} />
    </>
  )

  return (
    <Section anchor="authentication" title="Authentication" code={code}>
      <p>
        <strong>API key.</strong> For scripts and CI. Create one on the{' '}
        <Anchor component={Link} to={paths.apiKeys} inherit>
          API Keys
        </Anchor>{' '}
        page and send it in the <InlineCode text="X-API-Key" /> header. A key starts with{' '}
        <InlineCode text="apk_" /> and is shown once.
      </p>
      <p>
        When you create it you choose what it may do: <InlineCode text="read" />,{' '}
        <InlineCode text="upload" /> files, and <InlineCode text="manage" /> files and projects. You
        can bind it to a single project. No key can manage keys or your account.
      </p>
      <p>
        <strong>Session.</strong> For browsers: <InlineCode text="POST /api/auth/login" /> sets a
        cookie, and every later request carries it. Scripts can keep it too:{' '}
        <InlineCode text="curl -b" />, or a session of Python’s requests.
      </p>
      <p>Without either, you see what visitors see: public files and projects.</p>
    </Section>
  )
}

function Publish({ base }: { base: string }) {
  const target = useTarget(base, 'lantern')

  const commands = ciSnippets.map(({ name, files }) => [name, () => files(target)] as const)
  const calls = Object.entries(guideExamples.publish).map(
    ([name, write]) => [name, () => write(base)] as const,
  )
  const code = (
    <>
      <CodeTabs title="Publish with slipway push" examples={commands} />
      <CodeTabs title="Publish with a call" examples={calls} />
    </>
  )

  return (
    <Section anchor="publish" title="Publish from CI" code={code}>
      <p>
        <InlineCode text="slipway push" /> publishes builds from a terminal or a CI job. This host
        serves the program itself, for Node 20 and later; uploads resume, and the exit code and
        words say what went wrong. Over HTTP, a network could replace the program, so the examples
        check its SHA-256 (
        <InlineCode text={`${base}/cli.sha256`} />
        ), which changes with each version of this host. If the certificate of this host is its own,
        set <InlineCode text="NODE_EXTRA_CA_CERTS" /> to its <InlineCode text={`${base}/ca.crt`} />.
      </p>
      <p>
        Without the program, one call uploads a build, makes it public and adds it to a project, so
        that it appears on the project’s page. Fields can come in any order; only{' '}
        <InlineCode text="file" /> is required.
      </p>
      <p>
        <InlineCode text="curl -T" /> sends the bytes as they are, and everything else in the
        address: a wrong project is refused before any of them is sent. A digest is checked before
        anything is published, and a retry with the same <InlineCode text="Idempotency-Key" /> gets
        the first reply again. Both work for the form too.
      </p>
      <p>
        On an unreliable connection, use a client of{' '}
        <Anchor href="https://tus.io" inherit>
          tus 1.0
        </Anchor>{' '}
        with the endpoint <InlineCode text={`${base}/api/uploads`} />: an upload resumes where it
        stopped for 7 days, across restarts. <InlineCode text="Upload-Metadata" /> carries{' '}
        <InlineCode text="filename, is_public, project_id, version, platform, sha256" />; the last
        reply names the file in <InlineCode text="Slipway-File-Id" />.
      </p>
      <p>
        Names and texts are stored without invisible characters: control characters, and those that
        reverse text, by which a program can look like a picture. Filenames also lose folders and
        forbidden characters.
      </p>
      <p>
        The reply contains the <InlineCode text="file_id" /> and the SHA-256 of the bytes that
        arrived. Keep the key in the secrets of your CI, and run the job where it can reach{' '}
        <InlineCode text={base} />.
      </p>
    </Section>
  )
}

function Replies() {
  const code = (
    <>
      <CodePanel title="Success" code={guideExamples.success} copyable={false} />
      <CodePanel title="Error" code={guideExamples.failure} copyable={false} />
    </>
  )

  return (
    <Section anchor="replies" title="Replies and errors" code={code}>
      <p>
        Success means <InlineCode text="success: true" /> and the result. An error contains{' '}
        <InlineCode text="success: false" />, a message in <InlineCode text="error" />, and a{' '}
        <InlineCode text="code" /> that is stable, for programs.
      </p>
      <Table
        aria-label="Status codes"
        layout="auto"
        horizontalSpacing="sm"
        data={{
          head: ['Status', 'Meaning'],
          body: [...new Set(Object.values(errorStatus))].map((status) => [
            status,
            <MarkedText key={status} text={statusTexts[status] ?? ''} />,
          ]),
        }}
      />
    </Section>
  )
}

function Limits() {
  return (
    <Section anchor="limits" title="Limits">
      <p>
        A file can be up to <LargestFile />. Uploads are limited to 100 requests per hour, API
        requests to 1000 per hour: per API key, per signed-in user, or per address for visitors.
        Replies report the remaining requests in the <InlineCode text="RateLimit" /> headers;
        downloads and <InlineCode text="/api/health" /> do not count.
      </p>
      <p>
        A list answers up to {LIST_PAGE_SIZE} items and their <InlineCode text="total" />; read the
        next ones with <InlineCode text="offset" />. Projects in lists contain the start of their
        description and their {LISTED_PROJECT.files} newest files.
      </p>
      <Table
        aria-label="Storage tiers"
        layout="auto"
        horizontalSpacing="sm"
        data={{ head: ['Tier', 'Storage', 'Price'], body: tiers }}
      />
    </Section>
  )
}

const tiers = (Object.keys(tierQuota) as Tier[]).map((name) => [
  name,
  storageOf(tierQuota[name]),
  name === 'Free' ? '$0/month' : 'Contact us',
])

/** '100 MB', '1 TB': round tier sizes, without decimals. */
function storageOf(bytes: number): string {
  if (bytes >= TB) return `${bytes / TB} TB`
  return bytes >= GB ? `${bytes / GB} GB` : `${bytes / MB} MB`
}
