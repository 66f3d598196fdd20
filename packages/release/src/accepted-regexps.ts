/** Slow regular expressions that stay, as `file /pattern/flags`, each with why no text is long enough to matter. */
export const acceptedRegExps: Readonly<Record<string, string>> = {
  [String.raw`apps/data-transform/src/local/job-failure.ts /Malformed JSON in file .*? in (?:line|record\/value) (\d+)/s`]:
    'a message of DuckDB, which shortens what it quotes',
  [String.raw`packages/cli/src/completions/parse-usage.ts /--[\w-]+ [A-Z]+/g`]: 'our own help texts',
  [String.raw`packages/cli/src/lsp/complete-path.ts /\$[$\p{L}\p{N}_.[\]'*]*$/u`]: 'at most 400 characters',
  [String.raw`packages/cli/src/lsp/completion.ts /"?(?:Next|Default|StartAt)"?\s*:\s*["']?[^"',\n]*$/`]:
    'at most 400 characters',
  [String.raw`packages/cli/src/lsp/completion.ts /"?\w+"?\s*:\s*["']?[\w.:{}$-]*$/`]:
    'at most 400 characters',
  [String.raw`packages/console/web/parts/json.tsx /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g`]:
    'text that JSON.stringify wrote, where every quote is closed, of at most 60,000 characters',
  [String.raw`packages/local-s3/src/s3/byte-range.ts /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/`]:
    'a header: Node takes 16 KiB of them',
  [String.raw`packages/local-s3/src/s3/object-headers.ts /,?\s*\baws-chunked\b/g`]:
    'a header: Node takes 16 KiB of them',
  [String.raw`packages/local-s3/src/s3/s3-request.ts /[\p{Cc}--\t]/v`]:
    'one character; recheck does not know the flag v',
}
