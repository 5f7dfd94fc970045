import { CodePanel } from './code-panel'
import { CodeTabs } from './code-tabs'
import {
  bucketExamples,
  bucketPolicy,
  bucketCommands,
  bucketConfig,
} from './examples/bucket-examples'
import { InlineCode } from './inline-code'
import { Section } from './section'

/** How the host account lets a bucket send big downloads. */
export function Bucket() {
  const examples = Object.entries(bucketExamples).map(([name, code]) => [name, () => code] as const)
  const code = (
    <>
      <CodeTabs title="Make a bucket and a key" examples={examples} />
      <CodePanel title="policy.json: what the key may do" code={bucketPolicy} />
      <CodePanel title="bucket.json" code={bucketConfig} />
      <CodePanel title="Without a window" code={bucketCommands} />
    </>
  )

  return (
    <Section anchor="bucket" title="Downloads from a bucket" code={code}>
      <p>
        A popular build soon outgrows the upload speed of one computer. This host can copy public
        files of at least 8 MB to an S3-compatible bucket, and answer downloads from outside its
        network with <InlineCode text="302" /> to an address there, which works for an hour. Links
        stay the same, and the files on this host stay the originals: if the bucket fails, this host
        sends them itself.
      </p>
      <p>
        Set it up on the Host page, or with <InlineCode text="--bucket-config" />. The button{' '}
        <strong>Test</strong> tries each step. A key needs <InlineCode text="s3:PutObject" />,{' '}
        <InlineCode text="s3:GetObject" />, <InlineCode text="s3:DeleteObject" />,{' '}
        <InlineCode text="s3:ListBucket" />, <InlineCode text="s3:AbortMultipartUpload" />,{' '}
        <InlineCode text="s3:ListMultipartUploadParts" /> and{' '}
        <InlineCode text="s3:ListBucketMultipartUploads" />, for this bucket only. Its secret stays
        on this host, in no reply, log or backup.
      </p>
      <p>
        Keep the bucket private, without versions and without a CDN in front of it: when a file is
        made private or deleted, this host deletes its copy at once, and no cache may keep one.
        Hosts may share a bucket and a prefix: each deletes only its own copies.
      </p>
      <p>
        A download from the bucket counts when it is handed to the bucket, so one that stops halfway
        counts too. Requests with an API key, of devices in the same network and with{' '}
        <InlineCode text="?from=host" /> always get the bytes from this host. Clients must follow
        redirects: use <InlineCode text="curl -L" />.
      </p>
    </Section>
  )
}
