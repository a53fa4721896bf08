/** The steps of an explanation as sentences of the page: pieces of text, some of them set in italics. */
import type { Step } from '../engine/types.ts';
import { type Count, grouped } from './words.ts';

export interface Piece {
  text: string;
  style?: 'it' | 'N' | 'P' | 'cite';
  /** Of a citation: the theorem's own name, where the source alone has several. */
  name?: string | undefined;
}

export type Sentence = Piece[];

const plain = (text: string): Piece => ({ text });

/**
 * The program's sentence with its stacks in italics: letters beside signs of arithmetic, or at the beginning
 * of what is said of a stack. The article "a" stands in neither place.
 */
export function prose(text: string): Sentence {
  const stack = String.raw`(?:[a-z]|x\d+)`;
  const pattern = new RegExp(
    String.raw`(?<![a-z])${stack}(?=\s*[=+<>≤≥]|\s(?:goes from|is lowest|holds))|(?<=\d of )${stack}(?![a-z])|(?<=times the circuit )[a-z]+|(?<=subtract )[a-z]+(?= (?:once|twice|\d))|(?<=lies in )[a-z]+(?=: take)|(?<=[=+<>≤≥{(,]\s?)${stack}(?![a-z])(?=[\s,;.:)}+=]|$)`,
    'g',
  );
  const pieces: Sentence = [];
  let last = 0;
  // A stack and its height stay on one line.
  text = text.replace(/(?<![a-z])([a-z]|x\d+) ([=<>≤≥]) (?=\d+(?![\d+]))/g, '$1\u00a0$2\u00a0');
  for (const match of text.matchAll(pattern)) {
    pieces.push(plain(text.slice(last, match.index)), it(match[0]));
    last = match.index + match[0].length;
  }
  return [...pieces, plain(text.slice(last))];
}
const it = (text: string): Piece => ({ text, style: 'it' });

const times = (count: Count): string =>
  count == 1 ? 'once' : count == 2 ? 'twice' : `${grouped(count)} times`;

/** Joins pieces by commas and a final "and". */
function joined(parts: Sentence[]): Sentence {
  return parts.flatMap((part, i) => (i === 0 ? part : [plain(i === parts.length - 1 ? ' and ' : ', '), ...part]));
}

export function sentence(step: Step): Sentence {
  switch (step.step) {
    case 'invariance':
      return [
        plain(`Subtract the invariant ${(step.subtracted ?? []).length === 1 ? 'vector' : 'vectors'} `),
        ...joined((step.subtracted ?? []).map((one) => [it([...one.vector].sort().join('')), plain(` ${times(one.times)}`)])),
        ...(step.by ? [plain(' ('), { text: step.by, style: 'cite' } as Piece, plain(').')] : [plain('.')]),
      ];
    case 'zero':
    case 'idle': {
      const empty = step.empty ?? [];
      return [...joined(empty.map((one) => [it(one)])), plain(empty.length === 1 ? ' is empty. Leave it out.' : ' are empty. Leave them out.')];
    }
    case 'merge':
      return [
        ...joined((step.merged ?? []).map((group) => [it(group.join(' + '))])),
        plain((step.merged ?? []).length === 1 ? ' lie in the same sets, so they play as one stack.' : ': stacks in the same sets play as one.'),
      ];
    case 'naming':
      return [plain('In the order '), it((step.letters ?? []).join(' ')), plain(` this is ${step.game ?? 'a known game'}.`)];
    default:
      return told(step);
  }
}

/** The program's sentence, in which the source that it names is a citation. */
export function told(step: Step): Sentence {
  const at = step.by ? step.text.indexOf(step.by) : -1;
  if (at < 0 || !step.by) return prose(step.text);
  return [...prose(step.text.slice(0, at)), { text: step.by, style: 'cite', name: step.theorem?.name }, ...prose(step.text.slice(at + step.by.length))];
}

/** Steps that lead to another game or position, whose state is shown below the sentence. */
export const isReduction = (step: Step): boolean => step.members !== undefined && step.position !== undefined;

/** `DH13 Theorem 2.2` and what is said there, for the end of the chain. */
export function decided(step: Step): Sentence {
  const facts = (step.facts ?? []).map((fact) => fact.text);
  const source: Piece = { text: step.by ?? '', style: 'cite', name: step.theorem?.name };
  const outcome: Piece[] =
    step.outcome === 'P' ? [plain('A '), { text: 'P', style: 'P' }, plain('-position')] : [plain('An '), { text: 'N', style: 'N' }, plain('-position')];
  return [...outcome, plain(' by '), source, ...(facts.length ? [plain(': '), ...prose(`${facts.join('; ')}.`)] : [plain('.')])];
}
