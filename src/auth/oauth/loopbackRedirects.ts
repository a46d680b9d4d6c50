import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { RedirectReceiver } from '../signInPrompts.ts';

/** Longest wait for the person in the browser, in milliseconds. */
const maxWaitMs = 10 * 60_000;
/** Longest address that is read, in characters. */
const maxAddress = 16_384;
/** Longest time for the last page to reach the browser, in milliseconds. */
const maxLastPageMs = 2_000;
/** Most connections at once: a browser opens a few. */
const maxConnections = 64;
const maxSilenceMs = 5_000;
/** Always the same: clients are registered with it, and servers compare all but the port (RFC 8252 §7.3). */
const path = '/callback';

/** Page that the browser shows at the end. */
interface RedirectPage {
  readonly language: string;
  readonly done: string;
  readonly failed: string;
}

/**
 * Receives the answer of an authorization server in the browser on this machine (RFC 8252 §7.3): 127.0.0.1, any port, one answer with an
 * unguessable `state`.
 * @param silenceMs longest wait for what a connection asks, in milliseconds: others that stay silent must not keep the browser out
 */
export async function loopbackRedirects(page: RedirectPage, silenceMs = maxSilenceMs): Promise<RedirectReceiver> {
  const waiting = new Map<string, (address: URL) => void>();
  let port = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const address = request.url ?? '';
    const host = `127.0.0.1:${port}`;
    response.setHeader('Connection', 'close');
    if (
      request.method !== 'GET' ||
      request.headers.host !== host ||
      address.length > maxAddress ||
      !URL.canParse(address, `http://${host}`)
    ) {
      response.writeHead(400).end();
      return;
    }
    const url = new URL(address, `http://${host}`);
    const state = url.searchParams.get('state') ?? '';
    const resolve = url.pathname === path ? waiting.get(state) : undefined;
    if (resolve === undefined) {
      response.writeHead(404).end();
      return;
    }
    waiting.delete(state);
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    });
    response.end(html(page, url.searchParams.has('code')));
    resolve(url);
  };
  const limits = { maxHeaderSize: 32 * 1024, headersTimeout: silenceMs, connectionsCheckingInterval: Math.min(1_000, silenceMs) };
  // With this import Node.js compiles its own fetch, 50 ms of a processor.
  const { createServer } = await import('node:http');
  const server = createServer(limits, answer);
  server.maxConnections = maxConnections;
  /** Connections without a request: browsers open some in advance. */
  const silent = new Set<Socket>();
  server.on('connection', socket => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // A connection that cannot be accepted is no end of the sign-in.
  server.on('error', () => {});
  port = (server.address() as AddressInfo).port;
  return {
    uri: `http://127.0.0.1:${port}${path}`,
    received: (state, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          waiting.delete(state);
        };
        const onAbort = (): void => {
          stop();
          reject(new Problem('sign-in-canceled', sentence('The sign-in was canceled.')));
        };
        const timer = setTimeout(() => {
          stop();
          reject(
            new Problem('sign-in-late', sentence('The sign-in was not finished within {0} minutes.', maxWaitMs / 60_000), {
              nextStep: sentence('Sign in again.'),
            }),
          );
        }, maxWaitMs);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        else
          waiting.set(state, address => {
            stop();
            resolve(address);
          });
      }),
    close: () =>
      new Promise(resolve => {
        // The page has to reach the browser; what never asks for one would keep the sign-in waiting.
        const end = setTimeout(() => server.closeAllConnections(), maxLastPageMs);
        server.close(() => {
          clearTimeout(end);
          resolve();
        });
        for (const socket of silent) socket.destroy();
        server.closeIdleConnections();
      }),
  };
}

/** Texts are the product's own, none of the server's. */
const html = ({ language, done, failed }: RedirectPage, isDone: boolean): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>A2A Workbench</title>` +
  `<style>body{font:16px system-ui,sans-serif;margin:20vh auto;max-width:32em;padding:0 1em;text-align:center}</style><p>${isDone ? done : failed}</p></html>`;
