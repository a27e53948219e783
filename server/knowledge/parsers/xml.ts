import { Tokenizer } from 'htmlparser2'

/** Receives the tokens of an XML text. */
export interface XmlListener {
  open(name: string, attributes: ReadonlyMap<string, string>): void
  close(name: string): void
  text(text: string): void
}

/** Tokenizes XML of any depth and shape, without a stack, lookups or expansion of entities. */
export function readXml(source: string, listener: XmlListener): void {
  const ignore = (): void => undefined
  let name = ''
  let attribute = ''
  let attributes = new Map<string, string>()
  const opened = () => listener.open(name, attributes)
  const add = (value: string) => {
    attributes.set(attribute, (attributes.get(attribute) ?? '') + value)
  }
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      ontext: (start, end) => listener.text(source.slice(start, end)),
      ontextentity: (code) => listener.text(String.fromCodePoint(code)),
      onopentagname(start, end) {
        name = source.slice(start, end)
        attributes = new Map()
      },
      onattribname(start, end) {
        attribute = source.slice(start, end)
      },
      onattribdata: (start, end) => add(source.slice(start, end)),
      onattribentity: (code) => add(String.fromCodePoint(code)),
      onattribend: ignore,
      onopentagend: opened,
      onselfclosingtag() {
        opened()
        listener.close(name)
      },
      onclosetag: (start, end) => listener.close(source.slice(start, end)),
      oncdata: (start, end, offset) => listener.text(source.slice(start, end - offset)),
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(source)
  tokenizer.end()
}
