import { api } from '../../../server/contract'
import { address } from '../../lib/client/api-client'

interface Target {
  base: string
  project: string
}

const uploadUrl = (base: string) => base + address(api.files.upload, {}).url

/** Fields precede the file, so that the host reads them before the bytes. */
export const curlExample = ({ base, project }: Target): string => `curl --fail-with-body \\
  -H "X-API-Key: $SLIPWAY_KEY" \\
  -F project_id=${project} \\
  -F version=1.4.0 \\
  -F platform=Android \\
  -F is_public=true \\
  -F file=@app-release.apk \\
  ${uploadUrl(base)}`

/** A workflow that publishes each tag. The key is a secret of the repository. */
export const workflowExample = ({ base, project }: Target): string => `name: Publish
on:
  push:
    tags: ['v*']
jobs:
  publish:
    # Runs on a machine that can reach the host.
    runs-on: self-hosted
    steps:
      - uses: actions/checkout@v4
      - run: ./gradlew assembleRelease
      - name: Upload to Slipway
        env:
          SLIPWAY_KEY: \${{ secrets.SLIPWAY_KEY }}
        run: |
          curl --fail-with-body \\
            -H "X-API-Key: $SLIPWAY_KEY" \\
            -F project_id=${project} \\
            -F version="$GITHUB_REF_NAME" \\
            -F platform=Android \\
            -F is_public=true \\
            -F file=@app/build/outputs/apk/release/app-release.apk \\
            ${uploadUrl(base)}`
