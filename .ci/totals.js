// Says at the very end of a long log which tests failed, and how many passed. Runs on any Node.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
for (const { name, status, message, assertionResults } of report.testResults) {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter(test => test.status === 'failed')
  for (const { fullName, failureMessages } of failed) {
    const lines = failureMessages.join('\n').split('\n')
    const ours = lines.filter(line => !line.includes('/node_modules/'))
    console.log(`failed: ${file}: ${fullName}\n${ours.join('\n')}\n`)
  }
  if (status === 'failed' && failed.length === 0) console.log(`failed: ${file}\n${message}\n`)
}
const { numPassedTests, numFailedTests, numPendingTests } = report
const skipped = numPendingTests ? `, ${numPendingTests} skipped` : ''
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`)
