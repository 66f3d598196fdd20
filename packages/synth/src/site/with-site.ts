import type { App, Bucket, FunctionDeclaration } from '@stepwright/app'
import type { AnyTask } from '@stepwright/task'

/** The function that a deployed site is. */
export const siteFunctionName = 'Site'

const anything = {
  '~standard': { version: 1, vendor: 'stepwright', validate: (value: unknown) => ({ value }) },
} as const

const siteTask: AnyTask = {
  name: 'site',
  description: 'The pages of the app.',
  input: anything,
  output: anything,
  errors: [],
  needs: { ports: {}, permissions: [] },
  run: async () => ({}),
}

/** The app with its site as what it is when deployed: a function behind the API, open to everybody. */
export function withSite(app: App, bucketNames: Readonly<Record<string, string>>): App {
  if (app.site === undefined) return app
  if (siteFunctionName in app.functions)
    throw new TypeError(`the function ${siteFunctionName} must be called otherwise: that is the site's`)
  const site: FunctionDeclaration = {
    module: app.site.directory,
    export: 'handler',
    kind: 'http',
    task: siteTask,
    memoryMb: 256,
    timeoutSeconds: 10,
    environment: { CONNECT_TO: uploadOrigins(app, bucketNames).join(' ') },
  }
  const open = { function: siteFunctionName, authorized: false }
  return {
    ...app,
    functions: { ...app.functions, [siteFunctionName]: site },
    routes: { ...app.routes, 'GET /': open, 'GET /{path+}': open },
  }
}

/** Pages upload to, and download from, the buckets that let other origins in. */
function uploadOrigins({ resources = {} }: App, names: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries<Bucket>(resources.buckets ?? {}).flatMap(([key, { corsOrigins = [] }]) =>
    corsOrigins.length === 0 ? [] : [`https://${names[key]}.s3.\${AWS::Region}.\${AWS::URLSuffix}`],
  )
}
