import { action } from './github-action'

/** The host's values in a snippet. */
export interface Target {
  /** The address of the host, without a final slash. */
  base: string
  /** The short name of a project. */
  project: string
  /** SHA-256 of the host's `cli.mjs`, in hex. */
  digest: string
  /** An API key that was just created. Others read it from a secret of their service. */
  key?: string | undefined
}

/** A file to paste: its path in the person's repository, empty for a terminal. */
export interface SnippetFile {
  path: string
  code: string
}

export interface Snippet {
  name: string
  files: (target: Target) => readonly SnippetFile[]
}

interface Push {
  /** Words of sh: paths, patterns, switches. */
  words: string
  /** macOS has `shasum`, small Linux images have `sha256sum`. */
  check?: 'sha256sum' | 'shasum -a 256'
}

/**
 * Lines of sh that run `slipway push`. Over plain HTTP a network could replace the program, so they
 * compare its digest with the one that the person copied.
 */
function pushLines(
  { base, project, digest }: Target,
  { words, check = 'sha256sum' }: Push,
): string[] {
  const push = `push ${words} --project ${project} --public`
  if (base.startsWith('https:')) return [`npx --yes ${base}/cli.tgz ${push}`]
  return [
    `curl -fsSO ${base}/cli.mjs`,
    `echo "${digest}  cli.mjs" | ${check} -c`,
    `node cli.mjs ${push}`,
  ]
}

const indentPush = (target: Target, push: Push, indent: string) =>
  pushLines(target, push).join(`\n${indent}`)

/** The command refuses the placeholder in words, before any request. */
const terminal = (target: Target) => `export SLIPWAY_URL=${target.base}
export SLIPWAY_KEY=${target.key ?? 'apk_…'}
${indentPush(target, { words: 'app-release.apk --version 1.4.0' }, '')}`

/** Publishes each tag with the action of this repository. */
const workflow = ({ base, project }: Target) => `name: Publish
on:
  push:
    tags: ['v*']
jobs:
  publish:
    runs-on: self-hosted # a runner that reaches ${base}
    steps:
      - uses: actions/checkout@v4
      - run: ./gradlew assembleRelease
      - uses: ./.github/actions/slipway
        with:
          key: \${{ secrets.SLIPWAY_KEY }}
          project: ${project}
          version: \${{ github.ref_name }}
          files: app/build/outputs/apk/release/*.apk
          public: true`

const gitlab = (target: Target) => `# SLIPWAY_KEY: a masked variable of the project
publish:
  image: node:24
  rules:
    - if: $CI_COMMIT_TAG
  variables:
    SLIPWAY_URL: ${target.base}
  script:
    - ${indentPush(target, { words: 'build/*.apk --version "${CI_COMMIT_TAG#v}"' }, '    - ')}`

const jenkins = (target: Target) => `pipeline {
  agent any
  environment {
    SLIPWAY_URL = '${target.base}'
    SLIPWAY_KEY = credentials('slipway-key')
  }
  stages {
    stage('Publish') {
      when { buildingTag() }
      steps {
        sh '''
          ${indentPush(target, { words: 'build/*.apk --version "${TAG_NAME#v}"' }, '          ')}
        '''
      }
    }
  }
}`

/** fastlane runs `sh` in its own folder, without stopping at the first error. */
const fastlane = (target: Target) => `# SLIPWAY_KEY: a variable of the environment
lane :publish do
  gradle(task: "assemble", build_type: "Release")
  ENV["BUILD"] = lane_context[SharedValues::GRADLE_APK_OUTPUT_PATH]
  ENV["SLIPWAY_URL"] = "${target.base}"
  sh <<~'SH'
    set -e
    ${indentPush(target, { words: '"$BUILD"', check: 'shasum -a 256' }, '    ')}
  SH
end`

const APK_OF_GRADLE: Push = { words: 'outputs/apk/release/*.apk', check: 'shasum -a 256' }

/** Without `$`, which Kotlin reads as a variable. */
const gradle = (target: Target) => `// SLIPWAY_KEY: a variable of the environment
tasks.register<Exec>("publishToSlipway") {
    group = "publishing"
    description = "Uploads the release APK to Slipway"
    dependsOn("assembleRelease")
    workingDir(layout.buildDirectory)
    environment("SLIPWAY_URL", "${target.base}")
    commandLine("sh", "-c", """
        set -e
        ${indentPush(target, APK_OF_GRADLE, '        ')}
    """)
}`

const oneFile = (path: string, write: (target: Target) => string) => (target: Target) => [
  { path, code: write(target) },
]

/** How a terminal and each CI service publish a build with `slipway push`. */
export const ciSnippets: readonly Snippet[] = [
  { name: 'Terminal', files: oneFile('', terminal) },
  {
    name: 'GitHub Actions',
    files: (target) => [
      { path: '.github/workflows/publish.yml', code: workflow(target) },
      { path: '.github/actions/slipway/action.yml', code: action(target) },
    ],
  },
  { name: 'GitLab', files: oneFile('.gitlab-ci.yml', gitlab) },
  { name: 'Jenkins', files: oneFile('Jenkinsfile', jenkins) },
  { name: 'fastlane', files: oneFile('fastlane/Fastfile', fastlane) },
  { name: 'Gradle', files: oneFile('app/build.gradle.kts', gradle) },
]
