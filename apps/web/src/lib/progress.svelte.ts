/** What was learned here, kept in this browser only. */
const KEY = 'nimatron.learned';

class Learned {
  #done = $state<Record<string, number[]>>(read());
  solved = $state<number>(Number(readItem('nimatron.puzzles') ?? 0));

  pages(lesson: string): readonly number[] {
    return this.#done[lesson] ?? [];
  }

  finish(lesson: string, page: number): void {
    const pages = new Set(this.#done[lesson] ?? []);
    this.#done = { ...this.#done, [lesson]: [...pages.add(page)].sort((a, b) => a - b) };
    keep(KEY, JSON.stringify(this.#done));
  }

  solve(): void {
    this.solved += 1;
    keep('nimatron.puzzles', String(this.solved));
  }

  forget(): void {
    this.#done = {};
    this.solved = 0;
    keep(KEY, '{}');
    keep('nimatron.puzzles', '0');
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function read(): Record<string, number[]> {
  try {
    const kept: unknown = JSON.parse(readItem(KEY) ?? '{}');
    return kept !== null && typeof kept === 'object' ? (kept as Record<string, number[]>) : {};
  } catch {
    return {};
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage it is forgotten when the page is closed.
  }
}

export const learned = new Learned();
