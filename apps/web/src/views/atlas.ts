/** What the atlas tells of a game. */
export interface AtlasEntry {
  game: string;
  stacks: number;
  symmetries: string;
  status: 'theorem' | 'proved' | 'open';
  reduced: string | null;
  formula?: string | null;
  theorems: { name: string; source: string }[];
  method: string | null;
  bytes: number | null;
  obstruction: { position: number[]; factor: number } | null;
  largest_box: number | null;
  states_seen: number | null;
}

/** What was proved here counts as that, also where the proof is one of the theorems. */
export const standing = (entry: AtlasEntry): AtlasEntry['status'] =>
  entry.status === 'theorem' && entry.theorems.every(({ source }) => source.endsWith('proved here')) ? 'proved' : entry.status;

export interface AtlasAnswer {
  games: AtlasEntry[];
  certificate_text?: string | null;
}
