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

export interface AtlasAnswer {
  counts: { games: number; theorem: number; proved: number; open: number };
  games: AtlasEntry[];
  certificate_text?: string | null;
}
