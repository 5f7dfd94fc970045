import type { ProxyOptions } from 'vite'

/** Hands calls on to the server as if the page came from it: it refuses a foreign Host (421) and Origin (403). */
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
