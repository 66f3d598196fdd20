/** The content of an element: text, children, several elements of the same name, or nothing. */
export type XmlContent = string | number | boolean | undefined | XmlElements | readonly XmlContent[]
export interface XmlElements {
  readonly [name: string]: XmlContent
}

const s3Namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** An XML document; arrays repeat their element, undefined leaves it out. */
export function toXml(root: string, content: XmlElements, namespace: string = s3Namespace): string {
  const attribute = namespace === '' ? '' : ` xmlns="${namespace}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${toElements(content)}</${root}>`
}

function toElements(elements: XmlElements): string {
  return Object.entries(elements)
    .map(([name, content]) => toElement(name, content))
    .join('')
}

function toElement(name: string, content: XmlContent): string {
  if (content === undefined) return ''
  if (Array.isArray(content)) return content.map(one => toElement(name, one)).join('')
  const inner = typeof content === 'object' ? toElements(content as XmlElements) : escapeText(String(content))
  return `<${name}>${inner}</${name}>`
}

// Parsers turn a bare carriage return into a line feed; other control characters cannot stand for themselves.
function escapeText(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be found
    /[&<>"'\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g,
    character => entityOf[character] ?? `&#x${character.charCodeAt(0).toString(16)};`,
  )
}

const entityOf: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const characterOf: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** An element of a parsed document. */
export interface XmlNode {
  readonly name: string
  readonly text: string
  readonly children: readonly XmlNode[]
}

/** Parses what clients of S3 send: elements, text, entities, CDATA. Undefined if it is not well-formed. */
export function parseXml(source: string): XmlNode | undefined {
  const document = { name: '', text: '', children: [] as XmlNode[] }
  const open = [document]
  const token =
    /<\?[^>]*\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)(?:\s[^>]*?)?(\/?)>|([^<]+)/gy
  let end = 0
  for (const match of source.matchAll(token)) {
    end = match.index + match[0].length
    const [, cdata, closed, opened, selfClosing, text] = match
    const current = open.at(-1) as typeof document
    if (cdata !== undefined) current.text += cdata
    if (text !== undefined) {
      const plain = decodeEntities(text)
      if (plain === undefined) return undefined
      current.text += plain
    }
    if (opened !== undefined) {
      const element = { name: localName(opened), text: '', children: [] }
      current.children.push(element)
      if (selfClosing !== '/') open.push(element)
    }
    if (closed !== undefined && (open.length === 1 || open.pop()?.name !== localName(closed)))
      return undefined
  }
  if (end !== source.trimEnd().length && end !== source.length) return undefined
  if (open.length !== 1 || document.children.length !== 1 || document.text.trim() !== '') return undefined
  return document.children[0]
}

/** The text of the first child of this name. */
export function childText(node: XmlNode, name: string): string | undefined {
  return node.children.find(child => child.name === name)?.text
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function decodeEntities(text: string): string | undefined {
  let wellFormed = true
  const plain = text.replace(/\r\n?/g, '\n').replace(/&([^;&]{0,10});|&/g, (_, entity?: string) => {
    const code = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(entity ?? '')
    if (code !== null) {
      const point = code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16)
      if (point <= 0x10ffff) return String.fromCodePoint(point)
    }
    const character = characterOf[entity ?? '']
    if (character === undefined) wellFormed = false
    return character ?? ''
  })
  return wellFormed ? plain : undefined
}
