/**
 * Everything has an address: `#/board/CN(7,3)/3,5,4,2,1,6,3?take=1,2,0,0,0,0,2`. The part behind `#` needs
 * no server, so the same links work on any host, from a folder, and in a frame.
 */
export interface Route {
  view: string;
  parts: string[];
  query: Record<string, string>;
}

export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', ...parts] = path.split('/').map(decode);
  const query: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(search)) query[key] = value;
  return { view, parts, query };
}

export function address(view: string, parts: readonly string[] = [], query: Record<string, string | undefined> = {}): string {
  const path = [view, ...parts].map(encode).join('/');
  const search = Object.entries(query)
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .join('&');
  return `#/${path}${search ? `?${search}` : ''}`;
}

// Only what would be taken apart is escaped: addresses are read by people.
const encode = (text: string) => text.replace(/[%/?#&=+\s]/g, (character) => encodeURIComponent(character));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class Router {
  route = $state<Route>(readRoute(location.hash));

  constructor() {
    addEventListener('hashchange', () => (this.route = readRoute(location.hash)));
  }

  /** Moves are pushed, so that Back undoes them; selections are replaced. */
  go(to: string, { replace = false } = {}): void {
    if (to === location.hash) return;
    if (replace) {
      history.replaceState(null, '', to);
      this.route = readRoute(to);
    } else {
      location.hash = to.slice(1);
    }
  }
}

export const router = new Router();
