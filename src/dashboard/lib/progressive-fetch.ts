/**
 * A `fetch` that reports how much of a form has been sent, which the browser's own `fetch` cannot do. It passes all
 * other requests on. The response streams like that of `fetch`.
 */
export const progressiveFetch =
  (onSent: (share: number) => void): typeof fetch =>
  (input, init = {}) =>
    init.body instanceof FormData ? sendForm(String(input), init, onSent) : fetch(input, init);

function sendForm(url: string, init: RequestInit, onSent: (share: number) => void): Promise<Response> {
  const { signal } = init;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const encoder = new TextEncoder();
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    let given = 0;
    const abort = (): void => request.abort();
    const end = (error?: unknown): void => {
      signal?.removeEventListener('abort', abort);
      if (!body) reject(error ?? new TypeError('The connection was lost'));
      else if (error) body.error(error);
      else body.close();
    };
    const pass = (): void => {
      const text = request.responseText;
      if (text.length > given) body?.enqueue(encoder.encode(text.slice(given)));
      given = text.length;
    };
    request.upload.onprogress = ({ loaded, total }) => total > 0 && onSent(loaded / total);
    request.upload.onload = () => onSent(1);
    request.onreadystatechange = () => {
      if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED || request.status === 0) return;
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          body = controller;
        },
        cancel: abort,
      });
      resolve(new Response(stream, { status: request.status, headers: headersOf(request) }));
    };
    request.onprogress = pass;
    request.onload = () => {
      pass();
      end();
    };
    request.onerror = () => end(new TypeError('The connection was lost'));
    request.onabort = () => end(signal?.reason ?? new DOMException('Aborted', 'AbortError'));
    request.open(init.method ?? 'GET', url);
    new Headers(init.headers).forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    if (signal?.aborted) reject(signal.reason);
    else {
      signal?.addEventListener('abort', abort);
      request.send(init.body as FormData);
    }
  });
}

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers();
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
};
