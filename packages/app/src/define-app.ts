import type { AnyApp, App } from './app.ts'
import { assertApp } from './assert-app.ts'
import type { AppDeclaration } from './declare/app-declaration.ts'
import { lowerApp } from './declare/lower-app.ts'

/**
 * Declares an app: pure data, from which everything else follows. A name that does not exist is a type error.
 * @throws TypeError that names the mistake, and what was probably meant
 */
export function defineApp(app: AppDeclaration): AnyApp
export function defineApp<
  const F extends string,
  const W extends string = never,
  const B extends string = never,
  const T extends string = never,
  const Q extends string = never,
  const S extends string = never,
  const M extends string = never,
>(app: NoInferApp<F, W, B, T, Q, S, M>): App<F, W, B, T, Q, S, M>
export function defineApp(declared: AppDeclaration | AnyApp): AnyApp {
  const app = isDeclaration(declared) ? lowerApp(declared) : declared
  assertApp(app)
  return app
}

function isDeclaration(declared: AppDeclaration | AnyApp): declared is AppDeclaration {
  return Object.values(declared.functions).some(each => typeof each === 'function')
}

/** Names come from where things are declared; everywhere else they are only used. */
type NoInferApp<
  F extends string,
  W extends string,
  B extends string,
  T extends string,
  Q extends string,
  S extends string,
  M extends string,
> = Pick<App<F, W, B, T, Q, S, M>, 'resources' | 'metrics'> &
  Omit<Used<F, W, B, T, Q, S, M>, 'resources' | 'metrics' | 'functions' | 'workflows'> & {
    readonly functions: Readonly<Record<F, Used<F, W, B, T, Q, S, M>['functions'][F]>>
    readonly workflows?: Readonly<Record<W, NonNullable<Used<F, W, B, T, Q, S, M>['workflows']>[W]>>
  }

type Used<
  F extends string,
  W extends string,
  B extends string,
  T extends string,
  Q extends string,
  S extends string,
  M extends string,
> = App<NoInfer<F>, NoInfer<W>, NoInfer<B>, NoInfer<T>, NoInfer<Q>, NoInfer<S>, NoInfer<M>>
