// Stands in for the native half of aws-lambda-ric, which needs a C++ toolchain: the same three functions,
// over HTTP. Loaded with --require.
const Module = require('node:module')

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`
let posted = Promise.resolve()

function post(path, body) {
  posted = fetch(`${api}/${path}`, { method: 'POST', body })
}

const client = {
  async next() {
    await posted
    const response = await fetch(`${api}/next`)
    return { bodyJson: await response.text(), headers: Object.fromEntries(response.headers) }
  },
  done: (id, body) => post(`${id}/response`, body),
  error: (id, body) => post(`${id}/error`, body),
}

const load = Module._load
Module._load = (request, ...rest) => (request === './rapid-client.node' ? client : load(request, ...rest))
