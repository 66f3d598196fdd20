// biome-ignore lint/correctness/noUndeclaredDependencies: the editor brings it
const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

exports.activate = async () => {
  const [command, ...args] = workspace.getConfiguration('stepwright').get('command')
  const cwd = workspace.workspaceFolders?.[0]?.uri.fsPath
  client = new LanguageClient(
    'stepwright',
    'Stepwright',
    { command, args, options: { cwd } },
    {
      documentSelector: [{ scheme: 'file', pattern: '**/*.asl.{json,jsonc,yaml,yml}' }],
      initializationOptions: { trusted: workspace.isTrusted },
    },
  )
  await client.start()
}

exports.deactivate = () => client?.stop()
