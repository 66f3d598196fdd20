export { llmsFullText, llmsText } from './llms.ts'
export { type Page, readPages, type Section, sections } from './pages.ts'
export { repositoryRoot } from './repository.ts'
export { type SitePageOptions, toSitePage } from './site-page.ts'
