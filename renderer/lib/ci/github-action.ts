interface Target {
  base: string
  digest: string
}

const HEAD = `name: Slipway
description: Publishes builds on a Slipway host. The runner needs Node 20 or later.
inputs:
  files:
    description: Paths or patterns, one per line
    required: true
  key:
    description: An API key that can upload
    required: true
  project:
    description: The project that gets the files
    required: true
  version:
    description: Without it, the host reads the version from the package
  channel:
    description: stable, beta, nightly or a name of your own; needs a version
  notes:
    description: Release notes in Markdown, or @ and the path of a file; needs a version
  public:
    description: Whether visitors see the files
    default: 'false'
  strict:
    description: Whether to reject a build that the host warns about
    default: 'false'`

/**
 * A composite action for the person's repository: GitHub reads actions from repositories only, not
 * from a host. Values reach its script as variables, never as text of the script, and it runs in
 * the bash 3.2 of macOS too.
 */
export const action = ({ base, digest }: Target): string => `${HEAD}
runs:
  using: composite
  steps:
    - shell: bash
      env:
        SLIPWAY_URL: ${base}
        SLIPWAY_KEY: \${{ inputs.key }}
        FILES: \${{ inputs.files }}
        PROJECT: \${{ inputs.project }}
        VERSION: \${{ inputs.version }}
        CHANNEL: \${{ inputs.channel }}
        NOTES: \${{ inputs.notes }}
        PUBLIC: \${{ inputs.public }}
        STRICT: \${{ inputs.strict }}
      run: |
        options=(--project="$PROJECT")
        if [ -n "$VERSION" ]; then options+=(--version="\${VERSION#v}"); fi
        if [ -n "$CHANNEL" ]; then options+=(--channel="$CHANNEL"); fi
        if [ -n "$NOTES" ]; then options+=(--notes="$NOTES"); fi
        if [ "$PUBLIC" = true ]; then options+=(--public); fi
        if [ "$STRICT" = true ]; then options+=(--strict); fi
        ${(base.startsWith('https:') ? npx : printDigestCheck(digest)).join('\n        ')}`

/** Splits at line ends only, then expands patterns. */
const FILES = `IFS=$'\\n'`

const npx = [FILES, 'npx --yes "$SLIPWAY_URL/cli.tgz" push $FILES "${options[@]}"']

const printDigestCheck = (digest: string) => [
  'check=$(command -v sha256sum || echo "shasum -a 256")',
  'curl -fsS -o "$RUNNER_TEMP/cli.mjs" "$SLIPWAY_URL/cli.mjs"',
  `(cd "$RUNNER_TEMP" && echo "${digest}  cli.mjs" | $check -c)`,
  FILES,
  'node "$RUNNER_TEMP/cli.mjs" push $FILES "${options[@]}"',
]
