/** The colours of values: a ramp through OKLab, so that equal steps look equal. */

type Lab = readonly [number, number, number];
export type Rgb = readonly [number, number, number];

const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const gamma = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

function lab(hex: string): Lab {
  const [r, g, b] = [1, 3, 5].map((i) => linear(parseInt(hex.slice(i, i + 2), 16) / 255)) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function rgb([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (c: number) => Math.max(0, Math.min(255, Math.round(255 * gamma(Math.max(0, c)))));
  return [
    channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const STOPS = {
  light: ['#fff4d9', '#f6c667', '#d98a1f', '#8a4a08', '#4a2500'].map(lab),
  dark: ['#221a10', '#553712', '#a3681b', '#eeb04a', '#fff0cc'].map(lab),
};

/** The colour at `t` from 0 to 1. */
export function ramp(t: number, theme: 'light' | 'dark'): Rgb {
  const stops = STOPS[theme];
  const place = Math.max(0, Math.min(1, t)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const [from, to] = [stops[i]!, stops[i + 1]!];
  return rgb(from.map((x, q) => x + (to[q]! - x) * (place - i)) as unknown as Lab);
}

/** Black or white, whichever is read better on this colour. */
export function inkOn([r, g, b]: Rgb): string {
  const light = 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  return light > 0.179 ? '#000' : '#fff';
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;
