import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'

const screenshotDirectory = join(import.meta.dirname, '../../../.cache/screenshots')

/** Writes what the window shows to `.cache/screenshots/NAME.png`, and says where that is. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(screenshotDirectory, `${name}.png`)
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path, animations: 'disabled' })
  return path
}

const looks = [
  { name: 'light-1280', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'dark-1280', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'light-390', width: 390, height: 844, colorScheme: 'light' },
  { name: 'dark-390', width: 390, height: 844, colorScheme: 'dark' },
] as const

/** Four pictures of a page, `NAME-light-1280.png` and so on: light and dark, on a desk and on a phone. */
export async function screenshotLooks(page: Page, name: string): Promise<readonly string[]> {
  const size = page.viewportSize()
  const paths: string[] = []
  for (const look of looks) {
    await page.setViewportSize({ width: look.width, height: look.height })
    await page.emulateMedia({ colorScheme: look.colorScheme })
    paths.push(await screenshot(page, `${name}-${look.name}`))
  }
  if (size) await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: null })
  return paths
}
