"""A stream's life through openapi-generator's python client."""
import os
import time

import touchline_client as t


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def failure(status, call):
    """The envelope of a call that must fail with this status."""
    try:
        call()
    except t.ApiException as e:
        expect(e.status == status, f"status {e.status} (expected: {status})")
        expect(isinstance(e.data, t.Failure), f"{status}: {type(e.data)} (expected: Failure)")
        return e.data
    raise AssertionError(f"success (expected: {status})")


def when_free(call):
    """Repeats a call while canceled tasks end."""
    for _ in range(100):
        try:
            return call()
        except t.ApiException as e:
            expect(e.status == 409, e)
            time.sleep(0.1)
    return call()


def streams(api):
    created = api.create_live_stream(
        new_live_stream=t.NewLiveStream(
            title="Cup final",
            latency_mode=t.LatencyMode.LOW,
            policy=t.Policies([t.Policy.PUBLIC, t.Policy.SIGNED]),
            audit_settings=t.AuditSettings(
                frame_interval=2, models=t.ModelThresholds(weapon=0.5)),
            generate_watermark=t.NewWatermark(
                t.NewHtmlWatermark(type="html", url="https://scoreboard.invalid/1"))))
    stream = created.data
    expect(stream.stream_key and stream.active_session_id is None, stream)
    expect([p.policy for p in stream.playback_ids] == ["public", "signed"], stream)
    expect(stream.generate_watermark.actual_instance.page_load_timeout == 10, stream)
    expect(created.warnings, "no warning of the missing model")
    one = api.create_live_stream(new_live_stream=t.NewLiveStream(policy=t.Policies(t.Policy.SIGNED)))
    expect([p.policy for p in one.data.playback_ids] == ["signed"], one)
    expect(one.data.latency_mode == "standard" and one.data.reconnect_window == 60, one)
    api.delete_live_stream(one.data.id)

    expect(api.get_live_stream(stream.id).data == stream, "read again")
    listed = api.list_live_streams(status="idle", page=1, limit=10)
    expect(stream.id in [s.id for s in listed.data] and listed.total >= 1, listed)
    changed = api.patch_live_stream(stream.id, t.LiveStreamPatch(title="Second half"))
    expect(changed.data.title == "Second half" and changed.data.latency_mode == "low", changed)

    added = api.create_playback_id(stream.id, new_playback_id=t.NewPlaybackId(policy="signed"))
    api.delete_playback_id(stream.id, added.data.id)
    expect(api.disable_live_stream(stream.id).data.status == "disable", "disable")
    expect(api.enable_live_stream(stream.id).data.status == "idle", "enable")
    api.complete_live_stream(stream.id)
    expect(api.reset_stream_key(stream.id).data.stream_key != stream.stream_key, "key")
    return stream.id


def settings(api, stream):
    audit = api.put_audit_settings(
        stream,
        t.AuditSettingsBody(t.AuditSettings(frame_interval=1, models=t.ModelThresholds(nude=0.4))))
    expect(audit.data.audit_settings.models.nude == 0.4, audit)
    api.delete_audit_settings(stream)
    url = "https://scoreboard.invalid/2"
    api.put_watermark(stream, t.WatermarkBody(url=url))
    shown = api.get_watermark(stream).data.generate_watermark.actual_instance
    expect(shown.url == url and shown.page_load_timeout == 10, shown)
    expect(api.delete_watermark(stream).data.generate_watermark is None, "no scoreboard")
    pushed = t.WatermarkBody(type="stream", audio_mix_settings=t.AudioMixChange(mode="mix"))
    shown = api.put_watermark(stream, pushed).data.generate_watermark.actual_instance
    expect(shown.stream_key and shown.audio_mix_settings.volume_main == 1, shown)
    expect(api.get_watermark(stream).data.push_status == "idle", "push")
    api.delete_watermark(stream)
    board = api.put_scoreboard(
        stream,
        t.ScoreboardBody(
            home=t.ScoreboardTeamBody(name="Riverside", score=1),
            clock=t.ScoreboardClockBody(running=True)))
    expect(board.data.scoreboard.goal is None and board.data.scoreboard.home.score == 1, board)
    goal = api.create_goal(stream, t.NewGoal(team=t.Side.HOME, scorer="9 Keller"))
    expect(goal.data.scoreboard.goal.scorer == "9 Keller", goal)


def keys(api):
    key = api.create_signing_key().data
    expect(key.private_key, "no private key")
    expect(key.id in [k.id for k in api.list_signing_keys().data], "key is not listed")
    expect(api.get_signing_key(key.id).data.id == key.id, "key")
    api.delete_signing_key(key.id)


def recorded(client, stream, asset):
    listed = t.SessionsApi(client).list_sessions(stream).data
    session = t.SessionsApi(client).get_session(listed[0].id).data
    expect(session.ended_at >= session.started_at and session.end_reason, session)
    api = t.AssetsApi(client)
    expect(asset in [a.asset_id for a in api.list_assets(live_stream_id=stream).data], "assets")
    expect(api.get_asset(asset).data.duration > 3, "duration")
    clip = api.create_clip(t.NewClip(asset_id=asset, start_time=0.5, end_time=2)).data
    expect(clip.source_asset_id == asset and clip.status == "preparing", clip)
    failure(409, lambda: api.create_clip(
        t.NewClip(asset_id=clip.asset_id, start_time=0, end_time=1)))
    api.delete_asset(clip.asset_id)


def transcoding(api, asset):
    storage = api.add_storage(
        t.NewStorage(type="file", bucket="clients", notify="http://127.0.0.1:9/done")).data
    tasks = api.create_tasks(
        t.NewTasks(
            storage_id=storage.storage_id,
            input="asset:" + asset,
            outputs=[
                t.NewTask(format="mp4", height=t.NewTaskHeight(90)),
                t.NewTask(format="hls", height=t.NewTaskHeight([180, 90]))])).data.tasks
    expect(tasks[1].height.actual_instance == [180, 90], tasks)
    expect(len(api.list_tasks().data) >= 2, "tasks")
    for task in tasks:
        failed = failure(409, lambda: api.delete_storage(storage.storage_id))
        expect(failed.code == 40901, failed)
        expect(api.cancel_task(task.task_id).data.status == "canceled", "cancel")
    expect(api.get_task(tasks[0].task_id).data.notification.status, "notification")
    when_free(lambda: api.delete_storage(storage.storage_id))


def events(api):
    hook = api.create_webhook(
        t.NewWebhook(url="http://127.0.0.1:9/hook", events=["live_stream.active", "asset.ready"]))
    expect(hook.data.secret.startswith("whsec_"), hook)
    id = hook.data.id
    expect(api.update_webhook(id, t.WebhookPatch(events=["*"])).data.events == ["*"], "patch")
    delivery = api.test_webhook(id).data
    expect(delivery.id in [d.id for d in api.list_deliveries(id).data], "deliveries")
    expect(api.get_delivery(id, delivery.id).data.type == "webhook.test", "delivery")
    created = api.list_events(type="live_stream.created", limit=1).data[0]
    expect(created.data["seq"] >= 1, created)
    # As a receiver of webhooks reads it.
    received = t.LiveStreamEvent.from_json(created.to_json())
    expect(received.data.live_stream.id == received.data.live_stream_id, received)
    api.delete_webhook(id)


def tokens(api):
    made = api.create_access_token(
        t.NewAccessToken(name="python", scopes=[t.Scope.LIVE_COLON_READ])).data
    expect(made.expires_at is None and made.secret, made)
    expect(made.id in [k.id for k in api.list_access_tokens().data], "tokens")
    api.delete_access_token(made.id)


def main():
    token = os.environ["TOKEN"]
    client = t.ApiClient(t.Configuration(host=os.environ["API"], access_token=token))
    live = t.LiveStreamsApi(client)
    stream = streams(live)
    settings(t.SettingsApi(client), stream)
    keys(t.SigningKeysApi(client))
    recorded(client, os.environ["STREAM"], os.environ["ASSET"])
    transcoding(t.TranscodingApi(client), os.environ["ASSET"])
    events(t.EventsApi(client))
    tokens(t.AccessTokensApi(client))
    moderation = t.ModerationApi(client)
    expect(moderation.list_moderation_records().data == [], "records")
    expect(moderation.list_models().data is not None, "models")
    expect(t.SystemApi(client).ready().data.parts, "parts")
    expect("touchline_" in t.SystemApi(client).metrics(), "metrics")
    missing = failure(404, lambda: live.get_live_stream("nothing"))
    expect(missing.code == 40401 and missing.data is None, missing)
    bad = failure(400, lambda: t.SettingsApi(client).put_watermark(
        stream, t.WatermarkBody(type="html")))
    expect(bad.errors[0].var_field == "url", bad)
    live.delete_live_stream(stream)
    failure(404, lambda: live.get_live_stream(stream))


main()
