package touchline.benchmarks.failover;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import touchline.benchmarks.failover.RecordedFrames.Splice;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.FreeRunningSender;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Two encoders of one match that do not share a clock: the one that is shown dies, stalls, or is
 * replaced by hand. The recording has every frame once at each switch, and its audio does not
 * click.
 */
public final class FailoverLoad implements Benchmark {
    private static final String STREAMS = "/live/v1/live-streams/";
    private static final Duration ALIGNED = Duration.ofSeconds(60);
    private static final Duration SWITCHED = Duration.ofSeconds(30);
    private static final Duration RECORDED = Duration.ofSeconds(30);
    private static final Duration BETWEEN = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(100);

    /** Media for the start of both and a comparison, and for each switch with another one. */
    private static final int START_S = 60;

    private static final int SWITCH_S = 25;
    private static final double LEAST_CONFIDENCE = 0.5;
    private static final int MOST_FRAMES_OFF = 1;
    private static final double LOUDEST_CLICK_DB = -50;

    /** The audio changes encoders at another unit than the video. */
    private static final double SEARCHED_S = 0.3;

    private final int switches;
    private final int ppm;
    private final List<String> apartMs;
    private final Report report;
    private final Report.Table table;
    private boolean failed;

    /** How the encoder that is shown is lost. */
    private enum Loss {
        KILL,
        STALL,
        HAND
    }

    /**
     * Switches, 30 by default; {@code --apart}, milliseconds between the encoders with commas
     * between them, 400,2500,7000 by default; {@code --ppm} between their clocks, 200 by default.
     */
    public FailoverLoad(Arguments given, Report report) {
        switches = given.number(0, 30);
        ppm = given.option("--ppm", 200);
        apartMs = List.of(given.option("--apart", "400,2500,7000").split(",", -1));
        this.report = report;
        table =
                report.table(
                        "failover",
                        "apart ms | at s | by | to | confidence | gap ms | frames off | click dB |"
                                + " clean dB");
    }

    /** Returns 1 if a switch leaves out or repeats more than a frame, or clicks. */
    @Override
    public int run() throws Exception {
        int each = Math.ceilDiv(switches, apartMs.size());
        report.note("encoding the match for two encoders");
        Encoders encoders = new Encoders(START_S + each * SWITCH_S);
        PushMedia first = encoders.first();
        PushMedia second = encoders.second();
        try (TouchlineServer server = TouchlineServer.startFromClassPath()) {
            int left = switches;
            for (String apart : apartMs) {
                int now = Math.min(each, left);
                left -= now;
                if (now > 0) {
                    match(server, first, second, Long.parseLong(apart), now);
                }
            }
        }
        return failed ? 1 : 0;
    }

    /** The switch as the server reports it. */
    private record Change(Loss loss, double confidence, JsonNode event) {}

    private void match(
            TouchlineServer server, PushMedia first, PushMedia second, long apart, int count)
            throws Exception {
        JsonNode created =
                server.post(
                        STREAMS.substring(0, STREAMS.length() - 1),
                        "{\"backup\":true,\"record\":true,\"failover_after\":0.5,"
                                + "\"failback_after\":0,\"reconnect_window\":60}");
        String id = created.path("id").asText();
        LiveAddress address = server.address(created);
        URI backup = server.push(created.path("backup_stream_key").asText());
        long nowNs = System.nanoTime();
        List<Change> changes = new ArrayList<>();
        try (FreeRunningSender one = new FreeRunningSender(address.push(), first, 1, nowNs);
                FreeRunningSender two =
                        new FreeRunningSender(
                                backup,
                                second,
                                1 + ppm / 1e6,
                                nowNs + Duration.ofMillis(apart).toNanos())) {
            one.connect();
            two.connect();
            for (int i = 0; i < count; i++) {
                double confidence = awaitAligned(server, id);
                requireAlive(one, two);
                Loss loss = Loss.values()[i % Loss.values().length];
                String source = session(server, id).path("source").asText();
                report.note("%d ms apart: %s of the %s", apart, name(loss), source);
                change(server, id, loss, source.equals("primary") ? one : two);
                changes.add(new Change(loss, confidence, newestChange(server, id, i + 1)));
                Thread.sleep(BETWEEN);
            }
        }
        server.call("PUT", STREAMS + id + "/complete", "");
        judge(apart, changes, recording(server, id));
    }

    private static void requireAlive(FreeRunningSender... encoders) throws IOException {
        for (FreeRunningSender encoder : encoders) {
            if (!encoder.dead().isEmpty()) {
                throw new IOException("an encoder lost its connection: " + encoder.dead());
            }
        }
    }

    private static String name(Loss loss) {
        return loss.name().toLowerCase(Locale.ROOT);
    }

    /** Returns when the other one is shown, and this one sends again. */
    private static void change(
            TouchlineServer server, String id, Loss loss, FreeRunningSender shown)
            throws Exception {
        String before = session(server, id).path("source").asText();
        switch (loss) {
            case KILL -> shown.disconnect();
            case STALL -> shown.stall();
            case HAND ->
                    server.call(
                            "PUT",
                            STREAMS + id + "/source",
                            "{\"source\": \"%s\"}"
                                    .formatted(before.equals("primary") ? "backup" : "primary"));
        }
        await(
                "the other encoder",
                SWITCHED,
                () -> !session(server, id).path("source").asText().equals(before));
        switch (loss) {
            case KILL -> shown.connect();
            case STALL -> shown.resume();
            case HAND -> {}
        }
    }

    private static double awaitAligned(TouchlineServer server, String id) throws Exception {
        await(
                "both encoders aligned",
                ALIGNED,
                () -> {
                    JsonNode backup = session(server, id).path("backup");
                    return backup.path("sending").asBoolean()
                            && backup.path("primary_sending").asBoolean()
                            && backup.path("confidence").asDouble() >= LEAST_CONFIDENCE;
                });
        return session(server, id).at("/backup/confidence").asDouble();
    }

    private static JsonNode session(TouchlineServer server, String id)
            throws IOException, InterruptedException {
        return server.get(STREAMS + id + "/sessions").path(0);
    }

    private static JsonNode newestChange(TouchlineServer server, String id, int count)
            throws Exception {
        List<JsonNode> events = new ArrayList<>();
        await(
                "the event of the switch",
                SWITCHED,
                () -> {
                    events.clear();
                    server.get(
                                    "/system/v1/events?limit=100&type=live_stream.source_changed"
                                            + "&live_stream_id="
                                            + id)
                            .forEach(event -> events.add(event.path("data")));
                    return events.size() >= count;
                });
        return events.getFirst();
    }

    private static URI recording(TouchlineServer server, String id) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        await(
                "the recording",
                RECORDED,
                () -> {
                    found.clear();
                    server.each("/video-streams/v1/assets?live_stream_id=" + id, found::add);
                    return found.size() == 1
                            && !found.getFirst().path("is_live").asBoolean()
                            && found.getFirst().path("status").asText().equals("ready");
                });
        String playback = found.getFirst().at("/playback_ids/0/id").asText();
        return server.playback(playback + "/capped-1080p.mp4");
    }

    private void judge(long apart, List<Change> changes, URI mp4) throws Exception {
        RecordedFrames frames = RecordedFrames.of(mp4);
        RecordedAudio audio = RecordedAudio.played(mp4.toString());
        List<Splice> splices = frames.splices();
        if (splices.size() != changes.size()) {
            report.note("FAILED: %d splices of %d switches", splices.size(), changes.size());
            failed = true;
        }
        int breaks = frames.breaksWithinEncoders();
        if (breaks > 0) {
            report.note("FAILED: %d breaks beside the switches", breaks);
            failed = true;
        }
        for (int i = 0; i < Math.min(splices.size(), changes.size()); i++) {
            row(apart, splices.get(i), changes.get(i), audio);
        }
    }

    private void row(long apart, Splice splice, Change change, RecordedAudio audio)
            throws Exception {
        double from = Math.max(0, splice.seconds() - SEARCHED_S);
        double clickDb = audio.clickDb(from, splice.seconds() + SEARCHED_S);
        double content = (double) splice.number() / Encoders.FRAMES_PER_SECOND - SEARCHED_S;
        RecordedAudio clean = RecordedAudio.clean(Math.max(0, content), 2 * SEARCHED_S);
        double cleanDb = clean.clickDb(0, clean.seconds());
        boolean aligned = change.event().path("aligned").asBoolean();
        boolean whole = Math.abs(splice.left()) <= MOST_FRAMES_OFF;
        failed |= !aligned || !whole || clickDb > LOUDEST_CLICK_DB;
        table.row(
                apart,
                splice.seconds(),
                name(change.loss()),
                splice.toSecond() ? "backup" : "primary",
                change.confidence(),
                change.event().path("gap_ms").asLong(),
                splice.left(),
                clickDb,
                cleanDb);
    }

    /** Something that is so, or is not yet. */
    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Duration limit, Condition condition) throws Exception {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("no " + what + " within " + limit);
            }
            Thread.sleep(POLL);
        }
    }
}
