export { accessibilityProblems } from './accessibility.ts'
export { whyNoBrowser } from './chromium.ts'
export { openBrowser, type PageOptions, type TestBrowser } from './open-browser.ts'
export { screenshot, screenshotLooks } from './screenshot.ts'
