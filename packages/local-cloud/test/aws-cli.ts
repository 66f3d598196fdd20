import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The AWS CLI, as far as its Python package can be found. */
export interface AwsCli {
  /** The answer of a command, parsed; what it printed, if that is not JSON. @throws what the CLI says */
  run(...args: readonly string[]): Promise<unknown>
  end(): Promise<void>
}

// Runs the CLI's own program once for every line, so that many commands cost one start of Python.
const program = `
import contextlib, io, json, sys
import awscli.clidriver
driver = awscli.clidriver.create_clidriver()
for line in sys.stdin:
    streams = [io.TextIOWrapper(io.BytesIO(), encoding='utf-8', write_through=True) for _ in range(2)]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        try:
            code = driver.main(json.loads(line))
        except SystemExit as error:
            code = error.code
    out, err = (stream.buffer.getvalue().decode() for stream in streams)
    print(json.dumps({'code': code, 'out': out, 'error': err}), flush=True)
`

/** Why there is no AWS CLI to run, if there is none. */
export function whyNoAwsCli(): string | undefined {
  const { status } = spawnSync('python3', ['-c', 'import awscli.clidriver'])
  return status === 0 ? undefined : 'python3 finds no awscli: install it, as Debian’s awscli'
}

export function startAwsCli(environment: Readonly<Record<string, string>>): AwsCli {
  const child: ChildProcess = spawn('python3', ['-c', program], {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return {
    async run(...args) {
      child.stdin?.write(`${JSON.stringify([...args, '--output', 'json'])}\n`)
      const { value = '{}' } = await lines.next()
      const { code, out, error } = JSON.parse(value)
      if (code !== 0) throw new Error(error.trim())
      try {
        return JSON.parse(out)
      } catch {
        return out
      }
    },
    async end() {
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
    },
  }
}
