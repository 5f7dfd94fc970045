import type { ComponentType } from 'react'
import { CodeIcon, CopyIcon, ShareIcon } from './icons'

interface CopyProps {
  value: string
  label: string
  /** Names the value for screen readers, where the label alone does not. */
  what?: string
}

/** A button that copies (page-actions.ts), also before the app is there. */
export const CopyButton = ({ value, label, what = '' }: CopyProps) => (
  <button type="button" className="button quiet small copy" data-copy={value}>
    <CopyIcon size={16} />
    <span className="choices">
      <span>
        {label}
        {what !== '' && <span className="hidden"> {what}</span>}
      </span>
      <span>Copied</span>
    </span>
  </button>
)

interface SendProps {
  /** Of the page. */
  address: string
  /** Draws a QR code. */
  Code: ComponentType<{ value: string }>
}

/** The link of a page to copy, and its QR code. */
export const LinkButtons = ({ address, Code }: SendProps) => (
  <div className="share-actions">
    <CopyButton value={address} label="Copy link" />
    <details>
      <summary className="button quiet small">
        <CodeIcon size={16} /> QR code
      </summary>
      <div className="code">
        <Code value={address} />
      </div>
    </details>
  </div>
)

/**
 * Sends a page to another device: by the share sheet of a phone (page-actions.ts), else by its QR
 * code or link.
 */
export const SendPage = ({ address, Code }: SendProps) => (
  <details className="send">
    <summary className="button quiet medium" data-share={address}>
      <ShareIcon size={18} /> Send this page
    </summary>
    <div className="code">
      <p>Scan this code with the camera of the other device, or open the address there.</p>
      <Code value={address} />
      <p>
        <code>{address}</code>
      </p>
    </div>
  </details>
)
