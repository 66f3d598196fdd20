import type { App } from './app.ts'
import { assertApp } from './assert-app.ts'
import type { AppDeclaration } from './declare/app-declaration.ts'
import { lowerApp } from './declare/lower-app.ts'

/**
 * Declares an app. The result is plain data with names in place of values: what every tool reads.
 * @throws TypeError for wiring that cannot work, with what to do about it
 */
export function defineApp(declared: AppDeclaration): App {
  const app = lowerApp(declared)
  assertApp(app)
  return app
}
