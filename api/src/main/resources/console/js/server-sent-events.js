import { ApiError, token } from './api.js';

/**
 * Reads server-sent events until they end or `stopped` aborts. EventSource cannot send the token.
 *
 * @param onOpen called when the server has answered
 * @param onData called with the data of each event, parsed
 */
export async function readEvents(path, stopped, onOpen, onData) {
  const reply = await fetch(path, {
    headers: { Authorization: `Bearer ${token.get() ?? ''}`, Accept: 'text/event-stream' },
    cache: 'no-store',
    signal: stopped,
  });
  if (!reply.ok) {
    throw new ApiError(reply.status, await reply.json().catch(() => ({})));
  }
  onOpen();
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  while (true) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const parts = (rest + value).split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)).join('\n');
      if (data) {
        onData(JSON.parse(data));
      }
    }
  }
}
