/**
 * JSON with whole numbers of any size. Heights go up to 2^63 - 1, which a JavaScript number does not
 * hold: integers beyond 2^53 are read as `bigint`, and `bigint`s are written as plain integers.
 */

export function parse(text: string): unknown {
  return new Reader(text).document();
}

export function stringify(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => stringify(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${stringify(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;

class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail();
    return value;
  }

  #value(): unknown {
    this.#space();
    const next = this.#text[this.#at];
    switch (next) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at += 1;
    this.#space();
    if (this.#take('}')) return object;
    do {
      this.#space();
      const key = this.#string();
      this.#space();
      if (!this.#take(':')) this.#fail();
      Object.defineProperty(object, key, { value: this.#value(), enumerable: true, writable: true, configurable: true });
      this.#space();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail();
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#at += 1;
    this.#space();
    if (this.#take(']')) return array;
    do {
      array.push(this.#value());
      this.#space();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail();
    return array;
  }

  #string(): string {
    return JSON.parse(this.#match(STRING)) as string;
  }

  #number(): number | bigint {
    const text = this.#match(NUMBER);
    const value = Number(text);
    return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text) ? BigInt(text) : value;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail();
    this.#at += word.length;
    return value;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) this.#fail();
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }

  #fail(): never {
    throw new SyntaxError(`this is no JSON, at character ${this.#at}`);
  }
}
