// Shows what the host sends to this browser (server/features/notices/pusher.ts). Its scope, /push/, has no pages.
addEventListener('push', (event) => {
  const { tag, title, text, path, end } = event.data.json()
  const shown = { tag, body: text, icon: '/touch-icon.png', data: { path, end } }
  const actions = [{ action: 'end', title: 'Stop these' }]
  event.waitUntil(registration.showNotification(title, { ...shown, actions }))
})

addEventListener('notificationclick', (event) => {
  const { path, end } = event.notification.data
  event.notification.close()
  event.waitUntil(
    event.action === 'end'
      ? fetch(end, { method: 'POST' })
      : clients.openWindow(location.origin + path),
  )
})
