import { api, type LinkedFile, platformOf, type Platform, type Project, withoutUnseen } from '../../../contract'
import { chooseDownload } from '../../../contract/visitor/choose-download'
import { formatCount, formatSize, formatWhole, wholeOf } from '../../../contract/visitor/format'
import { installNote } from '../../../contract/visitor/install-notes'
import { visitorPlatform } from '../../../contract/visitor/visitor-platform'
import { markup, type Html } from '../../../http/pages/html'
import type { Visit } from '../../../http/pages/static-ui'
import { downloadIcon, fileIcon, monogram, time, written } from './frame'

interface Post {
  author: string
  content: string
  createdAt: string
  updatedAt: string
}

interface ProjectPage {
  /** As a visitor may see it. */
  project: Project
  /** Newest first. */
  posts: readonly Post[]
  now: Date
  visit: Visit
}

/** As renderer/features/public-project shows the project to visitors. */
export function projectContent({ project, posts, now, visit }: ProjectPage): Html {
  const device = visitorPlatform(visit.userAgent)
  const { primary, fits, others } = chooseDownload(project.downloads, device)
  return markup`<article class="project-page">
    ${header(project)}
    <div class="columns">
      <div class="main">
        ${primary ? download(project, primary, now, fits ? undefined : device) : NOTHING}
        ${others.length > 0 && otherFiles(project, others, now)}
        ${
          project.description !== '' &&
          markup`<section aria-labelledby="about">
            <h2 id="about">About</h2>
            ${written(project.description)}
          </section>`
        }
      </div>
      ${sidebar(project, now, visit)}
      <section class="updates" aria-labelledby="updates">
        <h2 id="updates">Latest updates</h2>
        ${posts.length > 0 ? posts.map((post) => update(post, now)) : NO_UPDATES}
      </section>
    </div>
  </article>`
}

const header = ({ title, short_description, owner, project_url }: Project) =>
  markup`<header class="title">
    ${monogram(title, 56)}
    <div class="names">
      <h1><bdi>${title}</bdi></h1>
      ${short_description !== '' && markup`<p class="prose"><bdi>${short_description}</bdi></p>`}
      <p class="byline">
        <span>by <strong>${owner}</strong></span
        >${project_url !== null && outside(project_url)}
      </p>
    </div>
  </header>`

/** `misfit` is the visitor's platform if the file is for another one. */
function download(project: Project, file: LinkedFile, now: Date, misfit: Platform | undefined): Html {
  const platform = platformOf(file)
  const note = installNote(file)
  return markup`<section class="primary" aria-label="Download">
    <div class="file">
      ${fileIcon(32)}
      <div class="names">
        <p class="prose"><b>${nameOf(file)}</b></p>
        <p class="byline">
          ${file.version !== null && markup`<span>Version ${file.version}</span>`}
          <span>${formatSize(file.size)}</span>${time(file.added_at, now, true)}
        </p>
      </div>
    </div>
    <div class="action">
      <a class="button large" href="${addressOf(project, file)}" download="${file.filename}"
        >${downloadIcon(20)} ${platform ? `Download for ${platform}` : 'Download'}</a
      >
    </div>
    ${
      misfit !== undefined &&
      markup`<p>
        There is no file for ${misfit} here. This one is ${platform ? `for ${platform}` : 'for another device'}.
      </p>`
    }
    ${note && details(note.title, markup`<ol>${note.steps.map((step) => markup`<li>${step}</li>`)}</ol>`)}
    ${details(
      'Check the file',
      markup`<p>If your copy has this SHA-256, it is the file that ${project.owner} published, byte for byte.</p>
        <p><code title="SHA-256 ${file.sha256}">${file.sha256}</code></p>`,
    )}
  </section>`
}

const details = (label: string, content: Html) =>
  markup`<details>
    <summary>${label}</summary>
    ${content}
  </details>`

const otherFiles = (project: Project, files: readonly LinkedFile[], now: Date) =>
  markup`<section aria-labelledby="other-files">
    <div class="row">
      <h2 id="other-files">Other files</h2>
      <a
        class="button quiet small"
        download
        href="${api.projects.downloadAll.path.replace(':id', project.project_id)}"
        title="${wholeOf(project.downloads)}"
        >${fileIcon(16)} Download all</a
      >
    </div>
    <table class="files" aria-label="Other files">
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">Size</th>
          <th scope="col">Downloads</th>
          <th scope="col">Added</th>
          <th scope="col"><span class="hidden">Download</span></th>
        </tr>
      </thead>
      <tbody>
        ${files.map((file) => row(project, file, now))}
      </tbody>
    </table>
  </section>`

function row(project: Project, file: LinkedFile, now: Date): Html {
  const release = [file.version, file.platform ?? platformOf(file)].filter(Boolean).join(' · ')
  return markup`<tr>
    <td>
      <div class="file">
        ${fileIcon(20)}
        <div class="names">
          ${nameOf(file)}
          <p class="fine cut">
            ${release !== '' && `${release} · `}<span title="SHA-256 ${file.sha256}">${file.sha256.slice(0, 7)}</span>
          </p>
        </div>
      </div>
    </td>
    <td>${formatSize(file.size)}</td>
    <td title="${formatWhole(file.downloads)}">${formatCount(file.downloads)}</td>
    <td>${time(file.added_at, now)}</td>
    <td>
      <a
        class="button square"
        href="${addressOf(project, file)}"
        download="${file.filename}"
        aria-label="Download ${file.filename}"
        title="Download"
        >${downloadIcon(18)}</a
      >
    </td>
  </tr>`
}

function sidebar(project: Project, now: Date, { host }: Visit): Html {
  const { slug, owner, created_at, updated_at, project_url, stats, total_files } = project
  const stat = (label: string, count: number) =>
    markup`<div class="stat" title="${formatWhole(count)}">
      <dt>${label}</dt>
      <dd>${formatCount(count)}</dd>
    </div>`
  const fact = (name: string, value: Html | string) =>
    markup`<dt>${name}</dt>
      <dd>${value}</dd>`
  return markup`<aside class="side" aria-label="About this project">
    <label class="share">Share link<input value="${host.url}/p/${slug}" readonly /></label>
    ${!host.reachable && markup`<p class="fine alone">For now only this computer can open this address.</p>`}
    <dl class="stats">${stat('Downloads', stats.total_downloads)}${stat('Views', stats.views)}</dl>
    <section>
      <h2>Information</h2>
      <dl class="facts">
        ${fact('Owner', owner)}${fact('Files', formatWhole(total_files))}
        ${fact('Published', time(created_at, now))}${fact('Updated', time(updated_at, now))}
        ${project_url !== null && fact('Website', outside(project_url))}
      </dl>
    </section>
  </aside>`
}

const update = ({ author, content, createdAt, updatedAt }: Post, now: Date) =>
  markup`<article class="card update" aria-label="Update by ${author}">
    <div class="head">
      ${monogram(author, 32)}<b class="cut">${author}</b>
      <span class="fine">${time(createdAt, now)}${updatedAt !== createdAt && ' · edited'}</span>
    </div>
    ${written(content, true)}
  </article>`

const outside = (address: string, text = new URL(address).host) =>
  markup`<a href="${address}" target="_blank" rel="noopener noreferrer nofollow ugc">${text}</a>`

/** A name on one line, shortened in its middle, whole for screen readers. */
function nameOf({ filename }: LinkedFile): Html {
  const name = withoutUnseen(filename)
  const letters = Array.from(name)
  const cut = Math.max(letters.length - 12, 0)
  const head = letters.slice(0, cut).join('')
  const tail = letters.slice(cut).join('')
  return markup`<bdi class="name" title="${name}"><span class="cut" aria-hidden="true">${head}</span
    ><span aria-hidden="true">${tail}</span><span class="hidden">${name}</span></bdi>`
}

const addressOf = ({ project_id }: Project, { file_id }: LinkedFile) =>
  api.projects.download.path.replace(':id', project_id).replace(':downloadId', file_id)

const NOTHING = markup`<div class="nothing">
  <h2>Nothing to download yet</h2>
  <p>No file has been added yet. Come back later.</p>
</div>`

const NO_UPDATES = markup`<div class="nothing">
  <h3>No updates yet</h3>
  <p>News about this project will appear here.</p>
</div>`
