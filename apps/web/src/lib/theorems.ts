/** The theorems on which answers rest. They are asked for once; citations and pages find theirs here. */
import { askOnce } from '../engine/engine.ts';

export interface Theorem {
  id: string;
  games: string;
  source: string;
  publication: string;
  credit: string | null;
  text: string;
  formula: string | null;
  second_form: string | null;
}

export const theorems = async (): Promise<Theorem[]> => (await askOnce<{ theorems: Theorem[] }>({ ask: 'theorems' })).theorems ?? [];

/** Those that are meant by a name or by a source; a source may have several. */
export const cited = (all: readonly Theorem[], key: string): Theorem[] => {
  const named = all.filter(({ id }) => id === key);
  return named.length ? named : all.filter(({ source }) => source === key);
};

/** Where a theorem is about one game, that can be played. */
export const playable = (games: string): string | undefined => (/^[A-Z]+[a-z]*(\(\d[^,n]*(,[^n]*)?\))?$/.test(games) ? games : undefined);
