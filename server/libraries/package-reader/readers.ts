import type { ReadExtension } from '../../contract/files/formats.ts'
import { readAndroidBundle } from './android/android-bundle.ts'
import { readApk } from './android/apk.ts'
import { readApkSet, readXapk } from './android/split-apk.ts'
import { readIosApp } from './apple/ios-app.ts'
import { readMacApp } from './apple/mac-app.ts'
import { readDiskImage, readInstallerPackage } from './apple/mac-installers.ts'
import { readNpmPackage } from './code/npm-package.ts'
import { readPythonWheel } from './code/python-wheel.ts'
import { readDfu } from './firmware/dfu.ts'
import { readEspImage } from './firmware/esp-image.ts'
import { readIntelHex } from './firmware/intel-hex.ts'
import { readUf2 } from './firmware/uf2.ts'
import { readIso } from './images/iso.ts'
import { readRawImage } from './images/raw-image.ts'
import { readOva, readQcow2, readVmdk } from './images/virtual-disk.ts'
import { readAppImage } from './linux/app-image.ts'
import { readVagrantBox } from './linux/vagrant-box.ts'
import { readDebianPackage } from './linux/debian-package.ts'
import { readPacmanPackage } from './linux/pacman-package.ts'
import { readRpmPackage } from './linux/rpm-package.ts'
import type { Look } from './look.ts'
import type { PackageFile } from './package-file.ts'
import { readAppBundle, readAppPackage } from './windows/app-package.ts'
import { readWindowsInstaller } from './windows/windows-installer.ts'
import { readWindowsProgram } from './windows/windows-program.ts'
import { readBrowserExtension } from './zip/browser-extension.ts'
import { readJavaArchive } from './zip/java-archive.ts'

/**
 * Reads one format. Null: not a package. Throws `Unreadable`, or any other error for a damaged
 * package.
 */
type Reader = (file: PackageFile) => Promise<Look | null>

/**
 * Import only in the worker: the host must not run readers on untrusted bytes, and need not load
 * them.
 */
export const readers: Readonly<Record<ReadExtension, Reader>> = {
  apk: readApk,
  aab: readAndroidBundle,
  xapk: readXapk,
  apks: readApkSet,
  ipa: readIosApp,
  zip: readMacApp,
  jar: readJavaArchive,
  exe: readWindowsProgram,
  msi: readWindowsInstaller,
  msix: readAppPackage,
  msixbundle: readAppBundle,
  deb: readDebianPackage,
  rpm: readRpmPackage,
  appimage: readAppImage,
  pkg: readInstallerPackage,
  dmg: readDiskImage,
  pacman: readPacmanPackage,
  whl: readPythonWheel,
  tgz: readNpmPackage,
  xpi: readBrowserExtension,
  box: readVagrantBox,
  iso: readIso,
  img: readRawImage,
  qcow2: readQcow2,
  vmdk: readVmdk,
  ova: readOva,
  bin: readEspImage,
  uf2: readUf2,
  hex: readIntelHex,
  dfu: readDfu,
}
