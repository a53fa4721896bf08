import { parse, stringify } from '../lib/json.ts';
import type { AskOptions, Engine, Request } from './engine.ts';
import type { Answer, Progress } from './types.ts';

/** Whether the page came from `nimatron serve`. */
export async function serverIsThere(): Promise<boolean> {
  if (!location.protocol.startsWith('http')) return false;
  try {
    const reply = await fetch('./healthz', { headers: { accept: 'application/json' } });
    return reply.ok && reply.headers.get('x-nimatron') !== null;
  } catch {
    return false;
  }
}

const SILENT = 'The engine does not answer. Is `nimatron serve` still running?';

/** Asks the server that sent the page. Giving up closes the connection, and the server stops the work. */
export class HttpEngine implements Engine {
  readonly kind = 'server';

  ask(request: Request, options: AskOptions = {}): Promise<Answer<unknown>> {
    return this.#send(request, options).catch((error: unknown) => {
      // So a connection fails in a browser; giving up is told in another way.
      throw error instanceof TypeError ? new Error(SILENT) : error;
    });
  }

  async #send(request: Request, { signal, progress }: AskOptions): Promise<Answer<unknown>> {
    for (let attempt = 0; ; attempt += 1) {
      const reply = await fetch('./api', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: progress ? 'text/event-stream' : 'application/json' },
        body: stringify(request),
        signal: signal ?? null,
      });
      if (reply.status === 503 && attempt < 5) {
        await pause(1000 * Number(reply.headers.get('retry-after') ?? 1), signal);
        continue;
      }
      if (progress && reply.headers.get('content-type')?.startsWith('text/event-stream')) {
        return events(reply, progress);
      }
      const status = Number(reply.headers.get('x-nimatron-status') ?? (reply.ok ? 0 : 3));
      return { status, body: parse(await reply.text()) };
    }
  }
}

async function events(reply: Response, progress: (progress: Progress) => void): Promise<Answer<unknown>> {
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(SILENT);
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart()).join('\n');
      if (field('event') === 'progress') progress(parse(field('data')) as Progress);
      if (field('event') === 'answer') return parse(field('data')) as Answer<unknown>;
    }
  }
}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
