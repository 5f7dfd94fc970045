/**
 * `appId` of electron-builder.yml: by it Windows connects windows and notices with the shortcut of
 * the installer.
 */
export const APP_ID = 'app.slipway.desktop'
