export { llmsFullText, llmsText } from './llms.ts'
export { type Page, readPages, type Section, sections } from './pages.ts'
export { repositoryRoot } from './repository.ts'
export { markdownName, type SitePageOptions, toMarkdownPage, toSitePage } from './site-page.ts'
