// A stream's life through the types of openapi-typescript, with openapi-fetch.
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './schema.js';

type Failure = components['schemas']['Failure'];

const { API = '', TOKEN = '', STREAM = '', ASSET = '' } = process.env;
const client = createClient<paths>({ baseUrl: API, headers: { Authorization: `Bearer ${TOKEN}` } });

function expect(condition: boolean, what: unknown): void {
  if (!condition) {
    throw new Error(JSON.stringify(what));
  }
}

/** The body of a call that succeeded. */
function ok<T>(reply: { data?: T; error?: unknown }): T {
  if (reply.data === undefined) {
    throw new Error(JSON.stringify(reply.error));
  }
  return reply.data;
}

function failed(reply: { error?: Failure }, code: number): Failure {
  if (reply.error === undefined || reply.error.code !== code) {
    throw new Error(`${JSON.stringify(reply.error)} (expected: ${code})`);
  }
  return reply.error;
}

const at = (id: string) => ({ params: { path: { id } } });

async function streams(): Promise<string> {
  const created = ok(
    await client.POST('/live/v1/live-streams', {
      body: {
        title: 'Cup final',
        latency_mode: 'low',
        policy: ['public', 'signed'],
        audit_settings: { frame_interval: 2, models: { weapon: 0.5 } },
        generate_watermark: { type: 'html', url: 'https://scoreboard.invalid/1' },
      },
    }),
  );
  const stream = created.data;
  expect(stream.stream_key !== undefined && stream.active_session_id === null, stream);
  expect(stream.playback_ids.map((it) => it.policy).join() === 'public,signed', stream);
  const board = stream.generate_watermark;
  expect(board?.type === 'html' && board.page_load_timeout === 10, board);
  expect((created.warnings ?? []).length > 0, created);
  const one = ok(await client.POST('/live/v1/live-streams', { body: { policy: 'signed' } })).data;
  expect(one.latency_mode === 'standard' && one.reconnect_window === 60, one);
  ok(await client.DELETE('/live/v1/live-streams/{id}', at(one.id)));

  expect(ok(await client.GET('/live/v1/live-streams/{id}', at(stream.id))).data.id === stream.id, '');
  const listed = ok(
    await client.GET('/live/v1/live-streams', { params: { query: { status: 'idle', limit: 10 } } }),
  );
  expect(listed.data.some((it) => it.id === stream.id) && listed.total >= 1, listed);
  const changed = ok(
    await client.PATCH('/live/v1/live-streams/{id}', { ...at(stream.id), body: { title: 'Half' } }),
  ).data;
  expect(changed.title === 'Half' && changed.latency_mode === 'low', changed);

  const added = ok(
    await client.POST('/live/v1/live-streams/{id}/playback-ids', {
      ...at(stream.id),
      body: { policy: 'signed' },
    }),
  ).data;
  ok(
    await client.DELETE('/live/v1/live-streams/{id}/playback-ids/{playback_id}', {
      params: { path: { id: stream.id, playback_id: added.id } },
    }),
  );
  const disabled = ok(await client.PUT('/live/v1/live-streams/{id}/disable', at(stream.id))).data;
  expect(disabled.status === 'disable', disabled);
  ok(await client.PUT('/live/v1/live-streams/{id}/enable', at(stream.id)));
  ok(await client.PUT('/live/v1/live-streams/{id}/complete', at(stream.id)));
  const reset = ok(await client.POST('/live/v1/live-streams/{id}/reset-stream-key', at(stream.id)));
  expect(reset.data.stream_key !== stream.stream_key, reset);
  return stream.id;
}

async function settings(stream: string): Promise<void> {
  const audit = ok(
    await client.PUT('/live/v1/live-streams/{id}/audit-settings', {
      ...at(stream),
      body: { frame_interval: 1, models: { nude: 0.4 } },
    }),
  ).data;
  expect(audit.audit_settings.models.nude === 0.4, audit);
  const none = await client.DELETE('/live/v1/live-streams/{id}/audit-settings', at(stream));
  expect(none.response.status === 204, none);
  const url = 'https://scoreboard.invalid/2';
  const mark = '/live/v1/live-streams/{id}/generated-watermark';
  ok(await client.PUT(mark, { ...at(stream), body: { url, overlay_settings: { width: '30%' } } }));
  const shown = ok(await client.GET(mark, at(stream))).data.generate_watermark;
  expect(shown?.type === 'html' && shown.url === url, shown);
  expect(ok(await client.DELETE(mark, at(stream))).data.generate_watermark === null, mark);
  const board = ok(
    await client.PUT('/live/v1/live-streams/{id}/scoreboard', {
      ...at(stream),
      body: { home: { name: 'Riverside', score: 1 }, clock: { running: true } },
    }),
  ).data.scoreboard;
  expect(board.goal === null && board.home.score === 1, board);
  const goal = ok(
    await client.POST('/live/v1/live-streams/{id}/scoreboard/goals', {
      ...at(stream),
      body: { team: 'home', scorer: '9 Keller' },
    }),
  ).data.scoreboard.goal;
  expect(goal?.scorer === '9 Keller', goal);
}

async function recorded(): Promise<void> {
  const sessions = ok(await client.GET('/live/v1/live-streams/{id}/sessions', at(STREAM))).data;
  const session = ok(
    await client.GET('/live/v1/sessions/{session_id}', {
      params: { path: { session_id: sessions[0]?.id ?? '' } },
    }),
  ).data;
  expect((session.ended_at ?? 0) >= session.started_at && session.end_reason !== null, session);
  const assets = ok(
    await client.GET('/video-streams/v1/assets', {
      params: { query: { live_stream_id: STREAM } },
    }),
  ).data;
  expect(assets.some((it) => it.asset_id === ASSET && it.duration > 3), assets);
  const clip = ok(
    await client.POST('/video-streams/v1/video/clip', {
      body: { asset_id: ASSET, start_time: 0.5, end_time: 2 },
    }),
  ).data;
  expect(clip.source_asset_id === ASSET && clip.status === 'preparing', clip);
  ok(
    await client.DELETE('/video-streams/v1/assets/{asset_id}', {
      params: { path: { asset_id: clip.asset_id } },
    }),
  );
}

async function transcoding(): Promise<void> {
  const storage = ok(
    await client.POST('/vodencoding/v1/add_storage', {
      body: { type: 'file', bucket: 'clients', notify: 'http://127.0.0.1:9/done' },
    }),
  ).data;
  const tasks = ok(
    await client.POST('/vodencoding/v1/tasks', {
      body: {
        storage_id: storage.storage_id,
        input: `asset:${ASSET}`,
        outputs: [
          { format: 'mp4', height: 90 },
          { format: 'hls', height: [180, 90] },
        ],
      },
    }),
  ).data.tasks;
  for (const task of tasks) {
    const { task_id } = task;
    ok(await client.DELETE('/vodencoding/v1/tasks/{task_id}', { params: { path: { task_id } } }));
    const read = ok(
      await client.GET('/vodencoding/v1/tasks/{task_id}', { params: { path: { task_id } } }),
    ).data;
    expect(read.status === 'canceled' && read.notification !== undefined, read);
  }
  // Canceled tasks end first.
  for (let i = 0; ; i++) {
    const deleted = await client.DELETE('/vodencoding/v1/storages/{storage_id}', {
      params: { path: { storage_id: storage.storage_id } },
    });
    if (deleted.response.status !== 409 || i === 100) {
      ok(deleted);
      return;
    }
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

async function events(): Promise<void> {
  const hook = ok(
    await client.POST('/system/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/hook', events: ['live_stream.active', 'asset.ready'] },
    }),
  ).data;
  expect(hook.secret?.startsWith('whsec_') === true, hook);
  ok(await client.PATCH('/system/v1/webhooks/{id}', { ...at(hook.id), body: { events: ['*'] } }));
  const delivery = ok(await client.POST('/system/v1/webhooks/{id}/test', at(hook.id))).data;
  const listed = ok(await client.GET('/system/v1/webhooks/{id}/deliveries', at(hook.id))).data;
  expect(listed.some((it) => it.id === delivery.id), listed);
  const newest = ok(await client.GET('/system/v1/events', {})).data[0];
  expect(typeof newest?.data['seq'] === 'number', newest);
  const created = ok(
    await client.GET('/system/v1/events', { params: { query: { type: 'live_stream.created' } } }),
  ).data[0];
  expect(receive(created as Received).startsWith('str_'), created);
  ok(await client.DELETE('/system/v1/webhooks/{id}', at(hook.id)));
}

async function keys(): Promise<void> {
  const key = ok(await client.POST('/live/v1/signing-keys', {})).data;
  expect(key.private_key !== undefined, key);
  ok(await client.DELETE('/live/v1/signing-keys/{id}', at(key.id)));
  const token = ok(
    await client.POST('/system/v1/access-tokens', {
      body: { name: 'typescript', scopes: ['live:read'] },
    }),
  ).data;
  expect(token.expires_at === null && token.secret !== undefined, token);
  ok(await client.DELETE('/system/v1/access-tokens/{id}', at(token.id)));
  ok(await client.GET('/audit/v1/records/moderation-records', {}));
  ok(await client.GET('/audit/v1/models', {}));
  ok(await client.GET('/observe/health/ready', {}));
}

// A receiver of webhooks, by type.
type Body<T extends keyof webhooks> = webhooks[T] extends {
  post: { requestBody: { content: { 'application/json': infer B } } };
}
  ? B
  : never;
type Received = Body<'live_stream.idle'> | Body<'asset.ready'> | Body<'audit_check'>;

function receive(event: Received): string {
  switch (event.type) {
    case 'audit_check':
      return event.data.alerts.map((it) => it.detection_info.risk_level).join();
    case 'asset.ready':
      return event.data.asset.asset_id;
    default:
      return 'live_stream' in event.data ? event.data.live_stream.id : event.type;
  }
}

const stream = await streams();
await settings(stream);
await recorded();
await transcoding();
await events();
await keys();
const notification: Body<'transcoding_notification'> = {
  code: 0,
  msg: 'failed',
  callback_url: '',
  data: [{ task_id: 'task_1', status: 'failed', error_code: 1003 }],
};
expect(notification.data[0]?.error_code === 1003, notification);
const get = await client.GET('/live/v1/live-streams/{id}', at('nothing'));
expect(failed(get, 40401).data === null, get);
const bad = await client.PUT('/live/v1/live-streams/{id}/generated-watermark', {
  ...at(stream),
  body: { type: 'html' },
});
expect(failed(bad, 40003).errors?.[0]?.field === 'url', bad);
ok(await client.DELETE('/live/v1/live-streams/{id}', at(stream)));
failed(await client.GET('/live/v1/live-streams/{id}', at(stream)), 40401);
