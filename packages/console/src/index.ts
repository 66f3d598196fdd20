export { type Console, type ConsoleOptions, startConsole } from './console.ts'
export { type ConsoleFeed, createConsoleFeed, type FeedListener } from './feed.ts'
