/** Remembers what a pure function made of a text, up to a number of texts. */
export function remember<Result>(make: (text: string) => Result, most = 10_000): (text: string) => Result {
  const made = new Map<string, { readonly result: Result }>()
  return text => {
    const known = made.get(text)
    if (known !== undefined) return known.result
    const result = make(text)
    if (made.size >= most) made.clear()
    made.set(text, { result })
    return result
  }
}
