/** The functions of JSONata 2.0.6, which Step Functions runs, without `$eval`, which it refuses. */
const library =
  'sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match contains replace split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power boolean not map zip filter single reduce sift keys lookup append exists spread merge reverse each error assert type sort shuffle distinct base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis fromMillis clone now millis'

/** Those that Step Functions adds, or has as its own (developer guide, "Transforming data with JSONata"). */
const own = 'partition range hash random uuid parse'

export const jsonataFunctions: ReadonlySet<string> = new Set([...library.split(' '), ...own.split(' ')])
