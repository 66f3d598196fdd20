import type { BuildOptions } from 'esbuild'

const requireBanner = {
  js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
}
const node = { bundle: true, platform: 'node' } as const satisfies BuildOptions

/** How people bundle functions, by the tool that does it for them, in its defaults and in the form that it recommends. */
export const bundleSettings: Readonly<Record<string, BuildOptions>> = {
  'esbuild, as ES module': { ...node, format: 'esm', minify: true, banner: requireBanner },
  'esbuild, as CommonJS': { ...node, format: 'cjs', minify: true },
  'NodejsFunction of CDK, by default': {
    ...node,
    target: 'node24',
    format: 'cjs',
    external: ['@aws-sdk/*', '@smithy/*'],
  },
  'NodejsFunction of CDK, as ES module': {
    ...node,
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['@aws-sdk/*', '@smithy/*'],
    banner: requireBanner,
    minify: true,
    keepNames: true,
    sourcemap: true,
  },
  'SAM, by default': {
    ...node,
    target: 'es2020',
    format: 'cjs',
    mainFields: ['main', 'module'],
    minify: true,
  },
  'SAM, as ES module': {
    ...node,
    target: 'es2022',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    banner: requireBanner,
  },
  SST: {
    ...node,
    target: 'esnext',
    format: 'esm',
    mainFields: ['module', 'main'],
    keepNames: true,
    splitting: true,
    banner: requireBanner,
  },
}
