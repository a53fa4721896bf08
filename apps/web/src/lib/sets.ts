/** Sets of stacks (counted from 0) as they lie on a circle or in a row. Geometry, not rules. */

export interface Arc {
  set: readonly number[];
  start: number;
  length: number;
  /** Whether the arc has no gaps. */
  full: boolean;
}

/** The shortest arc of a circle of `n` places that covers a set. */
export function arc(set: readonly number[], n: number): Arc {
  const places = [...set].sort((a, b) => a - b);
  let start = places[0] ?? 0;
  let length = n;
  places.forEach((place, i) => {
    const before = places[(i + places.length - 1) % places.length] ?? place;
    const covered = ((before - place + n) % n) + 1;
    if (covered < length) [start, length] = [place, covered];
  });
  if (places.length === 1) length = 1;
  return { set, start, length, full: length === places.length };
}

/** The interval of a row that covers a set. */
export function interval(set: readonly number[]): Arc {
  const start = Math.min(...set);
  const length = Math.max(...set) - start + 1;
  return { set, start, length, full: length === set.length };
}

/** The members of a set in the order in which its arc passes them. */
export const around = ({ set, start }: Arc, n: number): number[] =>
  [...set].sort((a, b) => ((a - start + n) % n) - ((b - start + n) % n));

/** A lane for each arc, first fit, so that arcs of one lane do not touch. */
export function lanes(arcs: readonly Arc[], n: number): number[] {
  const taken: Set<number>[] = [];
  return arcs.map(({ start, length }) => {
    const places = Array.from({ length }, (_, i) => (start + i) % n);
    let lane = 0;
    while (places.some((place) => taken[lane]?.has(place))) lane += 1;
    const own = (taken[lane] ??= new Set());
    places.forEach((place) => own.add(place));
    return lane;
  });
}

export const holds = (set: readonly number[], members: readonly number[]): boolean =>
  members.every((member) => set.includes(member));
