import type { ProxyOptions } from 'vite'

/** Forwards calls with the server's own Host and Origin: it refuses foreign ones (421, 403). */
export function proxyTo(target: string): ProxyOptions {
  return {
    target,
    changeOrigin: true,
    configure: (proxy) => {
      proxy.on('proxyReq', (request) => {
        if (request.hasHeader('origin')) request.setHeader('origin', target)
      })
    },
  }
}
