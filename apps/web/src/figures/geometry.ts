/** Where lamps, letters and hulls stand. Lengths are user units of the figure. */

export interface Point {
  x: number;
  y: number;
}

export const TAU = Math.PI * 2;
export const polar = (radius: number, angle: number): Point => ({ x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
export const round = (x: number): number => Math.round(x * 10) / 10;
const at = (radius: number, angle: number): string => {
  const { x, y } = polar(radius, angle);
  return `${round(x)} ${round(y)}`;
};

/** How many lamps a stack shows before it becomes a tube. */
export function lampsFor(heights: readonly bigint[]): number {
  const most = heights.reduce((a, b) => (a > b ? a : b), 0n);
  return most <= 7n ? 7 : most <= 9n ? 9 : 12;
}

export interface RingShape {
  n: number;
  lamps: number;
  pitch: number;
  lamp: number;
  inner: number;
  outer: number;
  letters: number;
  extent: number;
}

/** A ring of `n` stacks, each a ray of up to `lamps` lamps; `a` on top, clockwise, as in the papers. */
export function ringShape(n: number, lamps: number, hub = 120): RingShape {
  const pitch = lamps <= 7 ? 32 : lamps <= 9 ? 26 : 19;
  const inner = Math.max(hub, (0.66 * pitch) / Math.sin(Math.PI / Math.max(n, 3)));
  const outer = inner + (lamps - 1) * pitch;
  return { n, lamps, pitch, lamp: 0.41 * pitch, inner, outer, letters: inner - 1.15 * pitch - 3, extent: outer + 1.55 * pitch };
}

export const angle = (i: number, n: number): number => -Math.PI / 2 + (TAU * i) / n;

/** The hull of `length` neighbours from `start`: one sector with round corners. */
export function sector(shape: RingShape, start: number, length: number): string {
  const step = TAU / shape.n;
  const from = angle(start, shape.n) - 0.43 * step;
  const to = angle(start + length - 1, shape.n) + 0.43 * step;
  const low = shape.inner - 0.72 * shape.pitch;
  const high = shape.outer + 0.72 * shape.pitch;
  const large = to - from > Math.PI ? 1 : 0;
  return (
    `M ${at(low, from)} L ${at(high - 6, from)} Q ${at(high, from)} ${at(high, from + 6 / high)} ` +
    `A ${round(high)} ${round(high)} 0 ${large} 1 ${at(high, to - 6 / high)} Q ${at(high, to)} ${at(high - 6, to)} ` +
    `L ${at(low, to)} A ${round(low)} ${round(low)} 0 ${large} 0 ${at(low, from)} Z`
  );
}

/** The wedge that belongs to a stack: where a tap means this stack. */
export function wedge(shape: RingShape, i: number): string {
  const half = TAU / shape.n / 2;
  const centre = angle(i, shape.n);
  const low = shape.inner - shape.pitch;
  const high = shape.extent;
  const large = 2 * half > Math.PI ? 1 : 0;
  return (
    `M ${at(low, centre - half)} L ${at(high, centre - half)} A ${round(high)} ${round(high)} 0 ${large} 1 ${at(high, centre + half)} ` +
    `L ${at(low, centre + half)} Z`
  );
}

/** An arc in the hub that joins the members of a set. */
export function hubArc(radius: number, start: number, length: number, n: number): string {
  const end = length === 1 ? 0.09 : 0;
  const from = angle(start, n) - end;
  const to = angle(start + length - 1, n) + end;
  return `M ${at(radius, from)} A ${round(radius)} ${round(radius)} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(radius, to)}`;
}
