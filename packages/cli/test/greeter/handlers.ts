export async function greet(): Promise<{ statusCode: number; body: string }> {
  process.stdout.write('somebody is here\n')
  process.stderr.write('somebody is here, too\n')
  return { statusCode: 200, body: 'hello' }
}

export async function ask({ token }: { readonly token: string }): Promise<void> {
  process.stdout.write(`first ${token}\n`)
}
