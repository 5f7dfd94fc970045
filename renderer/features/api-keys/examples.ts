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

/** The command that the host serves: resumes uploads, needs Node 20. */
export const pushExample = ({ base, project }: Target): string => `export SLIPWAY_URL=${base}
npx $SLIPWAY_URL/cli.tgz push app-release.apk \\
  --project ${project} --version 1.4.0 --public`

/** A workflow that publishes each tag. The key is a secret of the repository. */
export const workflowExample = ({ base, project }: Target): string => `name: Publish
on:
  push:
    tags: ['v*']
jobs:
  publish:
    # Runs on a machine that can reach the host.
    runs-on: self-hosted
    env:
      SLIPWAY_URL: ${base}
      SLIPWAY_KEY: \${{ secrets.SLIPWAY_KEY }}
    steps:
      - uses: actions/checkout@v4
      - run: ./gradlew assembleRelease
      - run: >
          npx --yes $SLIPWAY_URL/cli.tgz push app/build/outputs/apk/release/app-release.apk
          --project ${project} --version "$GITHUB_REF_NAME" --public`

/** A job that publishes each tag. SLIPWAY_KEY is a masked variable of the project. */
export const gitlabExample = ({ base, project }: Target): string => `publish:
  image: node:24
  rules:
    - if: $CI_COMMIT_TAG
  variables:
    SLIPWAY_URL: ${base}
  script:
    - npx --yes $SLIPWAY_URL/cli.tgz push build/*.apk --project ${project} --version "$CI_COMMIT_TAG" --public`
