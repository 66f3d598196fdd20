export { app } from './src/app.ts'
