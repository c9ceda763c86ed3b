// A stream's life through openapi-generator's typescript-axios client.
import { AxiosError } from 'axios';
import * as t from './client/index.js';

const { API = '', TOKEN = '', STREAM = '', ASSET = '' } = process.env;
const configuration = new t.Configuration({ basePath: API, accessToken: TOKEN });

function expect(condition: boolean, what: unknown): void {
  if (!condition) {
    throw new Error(JSON.stringify(what));
  }
}

/** The envelope of a call that must fail with this code. */
async function failure(code: number, call: Promise<unknown>): Promise<t.Failure> {
  try {
    await call;
  } catch (e) {
    if (e instanceof AxiosError && e.response !== undefined) {
      const body = e.response.data as t.Failure;
      expect(body.code === code && e.response.status === Math.floor(code / 100), body);
      return body;
    }
    throw e;
  }
  throw new Error(`success (expected: ${code})`);
}

async function streams(): Promise<string> {
  const api = new t.LiveStreamsApi(configuration);
  const created = (
    await api.createLiveStream(undefined, {
      title: 'Cup final',
      latency_mode: t.LatencyMode.Low,
      policy: [t.Policy.Public, t.Policy.Signed],
      audit_settings: { frame_interval: 2, models: { weapon: 0.5 } },
      generate_watermark: { type: 'html', url: 'https://scoreboard.invalid/1' },
    })
  ).data;
  const stream = created.data;
  expect(stream.stream_key !== undefined && stream.active_session_id === null, stream);
  expect(stream.playback_ids.map((it) => it.policy).join() === 'public,signed', stream);
  const mark = stream.generate_watermark;
  expect(mark?.type === 'html' && mark.page_load_timeout === 10, mark);
  expect((created.warnings ?? []).length > 0, created);
  const one = (await api.createLiveStream(undefined, { policy: 'signed' })).data.data;
  expect(one.latency_mode === 'standard' && one.reconnect_window === 60, one);
  await api.deleteLiveStream(one.id);

  expect((await api.getLiveStream(stream.id)).data.data.id === stream.id, stream);
  const listed = (await api.listLiveStreams(t.StreamStatus.Idle, 1, 10)).data;
  expect(listed.data.some((it) => it.id === stream.id) && listed.total >= 1, listed);
  const changed = (await api.patchLiveStream(stream.id, { title: 'Half' })).data.data;
  expect(changed.title === 'Half' && changed.latency_mode === 'low', changed);
  const added = (await api.createPlaybackId(stream.id, undefined, { policy: 'signed' })).data.data;
  await api.deletePlaybackId(stream.id, added.id);
  expect((await api.disableLiveStream(stream.id)).data.data.status === 'disable', 'disable');
  await api.enableLiveStream(stream.id);
  await api.completeLiveStream(stream.id);
  const reset = (await api.resetStreamKey(stream.id)).data.data;
  expect(reset.stream_key !== stream.stream_key, reset);
  return stream.id;
}

async function settings(stream: string): Promise<void> {
  const api = new t.SettingsApi(configuration);
  const audit = await api.putAuditSettings(stream, { frame_interval: 1, models: { nude: 0.4 } });
  expect(audit.data.data.audit_settings.models.nude === 0.4, audit.data);
  expect((await api.deleteAuditSettings(stream)).status === 204, 'audit settings');
  const url = 'https://scoreboard.invalid/2';
  await api.putWatermark(stream, { url, overlay_settings: { width: '30%' } });
  const shown = (await api.getWatermark(stream)).data.data.generate_watermark;
  expect(shown?.type === 'html' && shown.url === url, shown);
  expect((await api.deleteWatermark(stream)).data.data.generate_watermark === null, 'scoreboard');
  const board = (
    await api.putScoreboard(stream, { home: { score: 1 }, clock: { running: true } })
  ).data.data.scoreboard;
  expect(board.goal === null && board.home.score === 1, board);
  const goal = (await api.createGoal(stream, { team: t.Side.Home, scorer: '9 Keller' })).data.data;
  expect(goal.scoreboard.goal?.scorer === '9 Keller', goal);
}

async function recorded(): Promise<void> {
  const sessions = new t.SessionsApi(configuration);
  const first = (await sessions.listSessions(STREAM)).data.data[0];
  const session = (await sessions.getSession(first?.id ?? '')).data.data;
  expect((session.ended_at ?? 0) >= session.started_at && session.end_reason !== null, session);
  const api = new t.AssetsApi(configuration);
  const assets = (await api.listAssets(STREAM)).data.data;
  expect(assets.some((it) => it.asset_id === ASSET && it.duration > 3), assets);
  const clip = (await api.createClip({ asset_id: ASSET, start_time: 0.5, end_time: 2 })).data.data;
  expect(clip.source_asset_id === ASSET && clip.status === 'preparing', clip);
  await api.deleteAsset(clip.asset_id);
}

async function transcoding(): Promise<void> {
  const api = new t.TranscodingApi(configuration);
  const storage = (
    await api.addStorage({ type: 'file', bucket: 'clients', notify: 'http://127.0.0.1:9/done' })
  ).data.data;
  const tasks = (
    await api.createTasks({
      storage_id: storage.storage_id,
      input: `asset:${ASSET}`,
      outputs: [
        { format: 'mp4', height: 90 },
        { format: 'hls', height: [180, 90] },
      ],
    })
  ).data.data.tasks;
  for (const task of tasks) {
    await api.cancelTask(task.task_id);
    const read = (await api.getTask(task.task_id)).data.data;
    expect(read.status === 'canceled' && read.notification !== undefined, read);
  }
  // Canceled tasks end first.
  for (let i = 0; ; i++) {
    try {
      await api.deleteStorage(storage.storage_id);
      return;
    } catch (e) {
      if (!(e instanceof AxiosError) || e.response?.status !== 409 || i === 100) {
        throw e;
      }
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }
}

async function events(): Promise<void> {
  const api = new t.EventsApi(configuration);
  const hook = (
    await api.createWebhook({ url: 'http://127.0.0.1:9/hook', events: ['live_stream.active'] })
  ).data.data;
  expect(hook.secret?.startsWith('whsec_') === true, hook);
  await api.updateWebhook(hook.id, { events: ['*'] });
  const delivery = (await api.testWebhook(hook.id)).data.data;
  const listed = (await api.listDeliveries(hook.id)).data.data;
  expect(listed.some((it) => it.id === delivery.id), listed);
  const newest = (await api.listEvents()).data.data[0];
  expect(typeof newest?.data['seq'] === 'number', newest);
  await api.deleteWebhook(hook.id);
}

async function keys(): Promise<void> {
  const signing = new t.SigningKeysApi(configuration);
  const key = (await signing.createSigningKey()).data.data;
  expect(key.private_key !== undefined, key);
  await signing.deleteSigningKey(key.id);
  const access = new t.AccessTokensApi(configuration);
  const token = (await access.createAccessToken({ name: 'axios', scopes: ['live:read'] })).data.data;
  expect(token.expires_at === null && token.secret !== undefined, token);
  await access.deleteAccessToken(token.id);
  const moderation = new t.ModerationApi(configuration);
  await moderation.listModerationRecords();
  await moderation.listModels();
  await new t.SystemApi(configuration).ready();
}

const stream = await streams();
await settings(stream);
await recorded();
await transcoding();
await events();
await keys();
const live = new t.LiveStreamsApi(configuration);
expect((await failure(40401, live.getLiveStream('nothing'))).data === null, 'data');
const bad = await failure(
  40003,
  new t.SettingsApi(configuration).putWatermark(stream, { type: 'html' }),
);
expect(bad.errors?.[0]?.field === 'url', bad);
await live.deleteLiveStream(stream);
await failure(40401, live.getLiveStream(stream));
