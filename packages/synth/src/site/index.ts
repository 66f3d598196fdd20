export { bundleSite, type SiteFile } from './bundle-site.ts'
export { siteHeaders } from './site-headers.ts'
