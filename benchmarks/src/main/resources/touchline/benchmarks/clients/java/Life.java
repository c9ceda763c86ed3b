import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.touchline.client.ApiClient;
import dev.touchline.client.ApiException;
import dev.touchline.client.api.AccessTokensApi;
import dev.touchline.client.api.AssetsApi;
import dev.touchline.client.api.EventsApi;
import dev.touchline.client.api.LiveStreamsApi;
import dev.touchline.client.api.ModerationApi;
import dev.touchline.client.api.SessionsApi;
import dev.touchline.client.api.SettingsApi;
import dev.touchline.client.api.SigningKeysApi;
import dev.touchline.client.api.SystemApi;
import dev.touchline.client.api.TranscodingApi;
import dev.touchline.client.model.*;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import okhttp3.Request;
import okhttp3.Response;

/** A stream's life through openapi-generator's java client. */
public final class Life {
    private final ApiClient client = new ApiClient();
    private final LiveStreamsApi live = new LiveStreamsApi(client);
    private final String recorded = System.getenv("STREAM");
    private final String asset = System.getenv("ASSET");

    private interface Call {
        void run() throws ApiException;
    }

    public static void main(String[] args) throws Exception {
        new Life().run();
        System.exit(0); // the client's connections keep a thread alive
    }

    private static void expect(boolean condition, Object what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    /** The envelope of a call that must fail with this code. */
    private static Failure failure(int code, Call call) throws Exception {
        try {
            call.run();
        } catch (ApiException e) {
            Failure failure = Failure.fromJson(e.getResponseBody());
            expect(failure.getCode() == code && e.getCode() == code / 100, failure);
            return failure;
        }
        throw new AssertionError("success (expected: " + code + ")");
    }

    /** Repeats a call while canceled tasks end. */
    private static void whenFree(Call call) throws Exception {
        for (int i = 0; i < 100; i++) {
            try {
                call.run();
                return;
            } catch (ApiException e) {
                expect(e.getCode() == 409, e);
                Thread.sleep(100);
            }
        }
        call.run();
    }

    private void run() throws Exception {
        client.setBasePath(System.getenv("API"));
        client.setBearerToken(System.getenv("TOKEN"));
        String stream = streams();
        settings(stream);
        recorded();
        transcoding();
        events();
        keys();
        failure(40401, () -> live.getLiveStream("nothing"));
        Failure bad =
                failure(
                        40003,
                        () ->
                                new SettingsApi(client)
                                        .putWatermark(
                                                stream,
                                                new WatermarkBody().type(WatermarkType.HTML)));
        expect(bad.getErrors().get(0).getField().equals("url"), bad);
        live.deleteLiveStream(stream);
        failure(40401, () -> live.getLiveStream(stream));
    }

    private String streams() throws ApiException {
        NewLiveStream settings =
                new NewLiveStream()
                        .title("Cup final")
                        .latencyMode(LatencyMode.LOW)
                        .policy(new Policies(Arrays.asList(Policy.PUBLIC, Policy.SIGNED)))
                        .auditSettings(
                                new AuditSettings()
                                        .frameInterval(2)
                                        .models(new ModelThresholds().weapon(new BigDecimal("0.5"))))
                        .generateWatermark(
                                new NewWatermark(
                                        new NewHtmlWatermark()
                                                .type(NewHtmlWatermark.TypeEnum.HTML)
                                                .url(java.net.URI.create("https://scoreboard.invalid/1"))));
        LiveStreamReply created = live.createLiveStream(null, settings);
        LiveStream stream = created.getData();
        expect(stream.getStreamKey() != null && stream.getActiveSessionId() == null, stream);
        expect(stream.getPlaybackIds().get(1).getPolicy() == Policy.SIGNED, stream);
        HtmlWatermark mark = stream.getGenerateWatermark().getHtmlWatermark();
        expect(mark.getPageLoadTimeout() == 10, mark);
        expect(!created.getWarnings().isEmpty(), created);
        LiveStream one =
                live.createLiveStream(null, new NewLiveStream().policy(new Policies(Policy.SIGNED)))
                        .getData();
        expect(one.getLatencyMode() == LatencyMode.STANDARD && one.getReconnectWindow() == 60, one);
        live.deleteLiveStream(one.getId());

        String id = stream.getId();
        expect(live.getLiveStream(id).getData().equals(stream), stream);
        LiveStreamListReply listed = live.listLiveStreams(StreamStatus.IDLE, 1, 10);
        expect(listed.getTotal() >= 1 && listed.getData().contains(stream), listed);
        LiveStream changed = live.patchLiveStream(id, new LiveStreamPatch().title("Half")).getData();
        expect(changed.getTitle().equals("Half"), changed);
        PlaybackId added =
                live.createPlaybackId(id, null, new NewPlaybackId().policy(Policy.SIGNED)).getData();
        live.deletePlaybackId(id, added.getId());
        expect(live.disableLiveStream(id).getData().getStatus() == StreamStatus.DISABLE, id);
        live.enableLiveStream(id);
        live.completeLiveStream(id);
        expect(!live.resetStreamKey(id).getData().getStreamKey().equals(stream.getStreamKey()), id);
        return id;
    }

    private void settings(String stream) throws ApiException {
        SettingsApi api = new SettingsApi(client);
        AuditSettings audit =
                new AuditSettings()
                        .frameInterval(1)
                        .models(new ModelThresholds().nude(new BigDecimal("0.4")));
        AuditSettings set =
                api.putAuditSettings(stream, new AuditSettingsBody(audit)).getData().getAuditSettings();
        expect(set.equals(audit), set);
        api.deleteAuditSettings(stream);
        WatermarkBody change =
                new WatermarkBody().url(java.net.URI.create("https://scoreboard.invalid/2"));
        api.putWatermark(stream, change);
        HtmlWatermark shown =
                api.getWatermark(stream).getData().getGenerateWatermark().getHtmlWatermark();
        expect(shown.getUrl().equals(change.getUrl()), shown);
        expect(api.deleteWatermark(stream).getData().getGenerateWatermark() == null, "scoreboard");
        WatermarkBody pushed =
                new WatermarkBody()
                        .type(WatermarkType.STREAM)
                        .audioMixSettings(new AudioMixChange().mode(AudioMixMode.MIX));
        StreamWatermark own =
                api.putWatermark(stream, pushed)
                        .getData()
                        .getGenerateWatermark()
                        .getStreamWatermark();
        expect(own.getStreamKey() != null, own);
        api.deleteWatermark(stream);
        ScoreboardBody body =
                new ScoreboardBody()
                        .home(new ScoreboardTeamBody().name("Riverside").score(1))
                        .clock(new ScoreboardClockBody().running(true));
        Scoreboard board = api.putScoreboard(stream, body).getData().getScoreboard();
        expect(board.getGoal() == null && board.getHome().getScore() == 1, board);
        NewGoal goal = new NewGoal().team(Side.HOME).scorer("9 Keller");
        Scoreboard after = api.createGoal(stream, goal, null).getData().getScoreboard();
        expect(after.getGoal().getScorer().equals("9 Keller"), after);
    }

    private void recorded() throws ApiException {
        SessionsApi sessions = new SessionsApi(client);
        String id = sessions.listSessions(recorded, null, null).getData().get(0).getId();
        Session session = sessions.getSession(id).getData();
        expect(session.getEndedAt() >= session.getStartedAt(), session);
        AssetsApi api = new AssetsApi(client);
        expect(api.listAssets(recorded, null, null).getData().size() >= 1, "assets");
        expect(api.getAsset(asset).getData().getDuration().intValue() > 3, asset);
        NewClip range =
                new NewClip()
                        .assetId(asset)
                        .startTime(new BigDecimal("0.5"))
                        .endTime(new BigDecimal("2"));
        Clip clip = api.createClip(range, null).getData();
        expect(clip.getSourceAssetId().equals(asset), clip);
        api.deleteAsset(clip.getAssetId());
    }

    private void transcoding() throws Exception {
        TranscodingApi api = new TranscodingApi(client);
        Storage storage =
                api.addStorage(
                                new NewStorage()
                                        .type(NewStorage.TypeEnum.FILE)
                                        .bucket("clients")
                                        .notify("http://127.0.0.1:9/done"),
                                null)
                        .getData();
        List<Task> tasks =
                api.createTasks(
                                new NewTasks()
                                        .storageId(storage.getStorageId())
                                        .input("asset:" + asset)
                                        .outputs(
                                                Arrays.asList(
                                                        new NewTask()
                                                                .format(OutputFormat.MP4)
                                                                .height(new NewTaskHeight(90)),
                                                        new NewTask()
                                                                .format(OutputFormat.HLS)
                                                                .height(
                                                                        new NewTaskHeight(
                                                                                Arrays.asList(
                                                                                        BigDecimal.valueOf(180),
                                                                                        BigDecimal.valueOf(90)))))),
                                null)
                        .getData()
                        .getTasks();
        for (Task task : tasks) {
            api.cancelTask(task.getTaskId());
            Task read = api.getTask(task.getTaskId()).getData();
            expect(read.getStatus() == Task.StatusEnum.CANCELED, read);
            expect(read.getNotification() != null, read);
        }
        whenFree(() -> api.deleteStorage(storage.getStorageId()));
    }

    private void events() throws Exception {
        EventsApi api = new EventsApi(client);
        NewWebhook wanted =
                new NewWebhook()
                        .url("http://127.0.0.1:9/hook")
                        .events(Arrays.asList("live_stream.active", "asset.ready"));
        NewWebhookData hook = api.createWebhook(wanted, null).getData();
        expect(hook.getSecret().startsWith("whsec_"), hook);
        api.updateWebhook(hook.getId(), new WebhookPatch().events(Collections.singletonList("*")));
        Delivery delivery = api.testWebhook(hook.getId()).getData();
        expect(api.getDelivery(hook.getId(), delivery.getId()).getData().getType().equals("webhook.test"), delivery);
        Event created = api.listEvents("live_stream.created", null, null, 1).getData().get(0);
        expect(created.getData().containsKey("seq"), created);
        receive(created.getId());
        api.deleteWebhook(hook.getId());
    }

    /** Reads an event as a receiver of webhooks gets it. */
    private void receive(String id) throws Exception {
        Request list =
                new Request.Builder()
                        .url(client.getBasePath() + "/system/v1/events?type=live_stream.created")
                        .header("Authorization", "Bearer " + System.getenv("TOKEN"))
                        .build();
        try (Response reply = client.getHttpClient().newCall(list).execute()) {
            JsonObject body = JsonParser.parseString(reply.body().string()).getAsJsonObject();
            String event = body.getAsJsonArray("data").get(0).toString();
            LiveStreamEvent received = LiveStreamEvent.fromJson(event);
            expect(received.getId().equals(id), received);
            expect(received.getData().getLiveStream().getId() != null, received);
        }
    }

    private void keys() throws ApiException {
        SigningKeysApi signing = new SigningKeysApi(client);
        NewSigningKeyData key = signing.createSigningKey(null).getData();
        expect(key.getPrivateKey() != null, key);
        signing.deleteSigningKey(key.getId());
        AccessTokensApi access = new AccessTokensApi(client);
        NewAccessTokenData token =
                access.createAccessToken(
                                new NewAccessToken()
                                        .name("java")
                                        .scopes(Collections.singletonList(Scope.LIVE_READ)),
                                null)
                        .getData();
        expect(token.getExpiresAt() == null && token.getSecret() != null, token);
        access.deleteAccessToken(token.getId());
        ModerationApi moderation = new ModerationApi(client);
        moderation.listModerationRecords(null, null, null, null);
        moderation.listModels();
        expect(!new SystemApi(client).ready().getData().getParts().isEmpty(), "parts");
        expect(new SystemApi(client).metrics().contains("touchline_"), "metrics");
    }
}
