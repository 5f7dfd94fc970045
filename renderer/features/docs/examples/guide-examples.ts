export const guideExamples = {
  makeTypes: (base: string) => `npm install openapi-fetch openapi-typescript typescript@5
npx openapi-typescript ${base}/openapi.json -o slipway.ts`,

  useTypes: (base: string) => `import createClient from 'openapi-fetch'
import type { paths } from './slipway.ts'

const slipway = createClient<paths>({
  baseUrl: '${base}',
  headers: { 'X-API-Key': process.env.SLIPWAY_KEY },
})

const { data, error } = await slipway.GET('/api/files/my-files', {
  params: { query: { search: 'lantern', limit: 10 } },
})
if (error) throw new Error(error.error)
for (const file of data.files) console.log(file.filename, file.sha256)`,

  signIn: (base: string) => `curl ${base}/api/auth/login \\
  -c cookies.txt \\
  -H "Content-Type: application/json" \\
  -d '{"username":"maya","password":"correct horse battery"}'

curl ${base}/api/auth/me -b cookies.txt`,

  useKey: (base: string) => `# slipway.key: a file that only you can read
export SLIPWAY_KEY=$(cat slipway.key)

curl ${base}/api/files/my-files \\
  -H "X-API-Key: $SLIPWAY_KEY"`,

  publish: {
    curl: (base: string) => `curl --fail-with-body ${base}/api/files/upload \\
  -H "X-API-Key: $SLIPWAY_KEY" \\
  -F "project_id=lantern" \\
  -F "version=1.4.0" \\
  -F "platform=Android" \\
  -F "is_public=true" \\
  -F "file=@lantern-1.4.0.apk"`,

    'curl -T': (base: string) => `build=lantern-1.4.0.apk
sum=$(sha256sum "$build" | cut -d ' ' -f 1)

curl --fail-with-body -T "$build" \\
  -H "X-API-Key: $SLIPWAY_KEY" \\
  -H "X-Content-SHA256: $sum" \\
  -H "Idempotency-Key: $CI_JOB_ID" \\
  --retry 5 --retry-all-errors \\
  "${base}/api/files/upload/$build?project_id=lantern&version=1.4.0&is_public=true"`,

    JavaScript: (base: string) => `import { openAsBlob } from 'node:fs'

const form = new FormData()
form.set('project_id', 'lantern')
form.set('version', '1.4.0')
form.set('platform', 'Android')
form.set('is_public', 'true')
form.set('file', await openAsBlob('lantern-1.4.0.apk'), 'lantern-1.4.0.apk')

const response = await fetch('${base}/api/files/upload', {
  method: 'POST',
  headers: { 'X-API-Key': process.env.SLIPWAY_KEY },
  body: form,
})
const reply = await response.json()
if (!reply.success) throw new Error(reply.error)
console.log(reply.file_id, reply.file.sha256)`,

    Python: (base: string) => `import os, requests

with open("lantern-1.4.0.apk", "rb") as build:
    response = requests.post(
        "${base}/api/files/upload",
        headers={"X-API-Key": os.environ["SLIPWAY_KEY"]},
        files={"file": build},
        data={
            "project_id": "lantern",
            "version": "1.4.0",
            "platform": "Android",
            "is_public": "true",
        },
    )
reply = response.json()
if not reply["success"]:
    raise SystemExit(reply["error"])
print(reply["file_id"], reply["file"]["sha256"])`,
  },

  download: {
    Linux: (base: string) => `curl -C - -o lantern.zip ${base}/api/projects/lantern/download
unzip lantern.zip && sha256sum -c SHA256SUMS`,

    macOS: (base: string) => `curl -C - -o lantern.zip ${base}/api/projects/lantern/download
unzip lantern.zip && shasum -a 256 -c SHA256SUMS`,

    Windows: (
      base: string,
    ) => `Invoke-WebRequest ${base}/api/projects/lantern/download -OutFile lantern.zip
Expand-Archive lantern.zip; cd lantern
Get-Content SHA256SUMS | ForEach-Object {
  $digest, $name = $_ -split '  ', 2
  "$name $((Get-FileHash -LiteralPath $name).Hash -eq $digest)"
}`,
  },

  electronBuilder: (base: string) => `publish:
  provider: generic
  url: ${base}/p/lantern/feeds/electron`,

  success: `{
  "success": true,
  "message": "File uploaded successfully!",
  "file_id": "f4Tn8cWq2ZpL",
  …
}`,

  failure: `{
  "success": false,
  "error": "This file does not fit into your storage quota",
  "code": "quota_exceeded"
}`,
} as const
