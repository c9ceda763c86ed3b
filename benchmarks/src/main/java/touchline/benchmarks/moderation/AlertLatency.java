package touchline.benchmarks.moderation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;

/**
 * From a frame's arrival to the client's webhook, and the number of lost frames. Both demo models
 * find something in every frame. Each frame is sent when it is due and without B-frames, so that
 * its time on the timeline is its time of arrival.
 */
public final class AlertLatency implements Benchmark {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration LAST_EVENTS = Duration.ofSeconds(3);

    /** Maximum delay of sending a frame. */
    private static final long ROUND_MS = 2;

    private final int streams;
    private final Duration measured;
    private final int intervalSeconds;
    private final int turns;
    private final Report report;

    private final Map<String, Turns> allTurns = new TreeMap<>(Comparator.reverseOrder());
    private Turns turnsOf = new Turns();

    /** What the turns of one kind of server have measured together. */
    private record Turns(Samples verdictMs, Samples webhookMs, Samples cores) {
        Turns() {
            this(new Samples(), new Samples(), new Samples());
        }
    }

    /** Time of arrival by event id, in Unix milliseconds. */
    private final Map<String, Long> receivedMs = new ConcurrentHashMap<>();

    /**
     * Streams, and seconds after the warm-up: 1 and 60 by default; {@code --interval} seconds
     * between the sampled frames of a stream, 1 by default. With {@code --isolated} turns, servers
     * that decode in their process and in child processes are measured in turns.
     */
    public AlertLatency(Arguments given, Report report) {
        streams = given.number(0, 1);
        measured = Duration.ofSeconds(given.number(1, 60));
        intervalSeconds = given.option("--interval", 1);
        turns = given.option("--isolated", 0);
        this.report = report;
    }

    /** Returns 1 if a frame or an event was lost. */
    @Override
    public int run() throws Exception {
        PushMedia media = CameraSource.ALARM.media(measured.plus(WARM_UP).toSeconds() + 20);
        if (turns == 0) {
            return run(media, ModeratedServer.start(streams, "standard"));
        }
        int code = 0;
        for (int turn = 0; turn < turns; turn++) {
            for (String isolation : List.of("off", "all")) {
                report.note("turn %d, isolated decoding: %s", turn + 1, isolation);
                turnsOf = allTurns.computeIfAbsent(isolation, _ -> new Turns());
                code |= run(media, ModeratedServer.startWith(isolation, streams, "standard"));
            }
        }
        Report.Table table =
                report.table(
                        "isolated_decoding",
                        "isolated | count | verdict ms, median | p95 | webhook ms, median | p95"
                                + " | cores, median");
        allTurns.forEach(
                (isolation, all) ->
                        table.row(
                                isolation,
                                all.verdictMs().count(),
                                all.verdictMs().median(),
                                all.verdictMs().percentile(95),
                                all.webhookMs().median(),
                                all.webhookMs().percentile(95),
                                all.cores().median()));
        return code;
    }

    private int run(PushMedia media, ModeratedServer started) throws Exception {
        try (LocalSite site = new LocalSite().receive("/", this::received);
                ModeratedServer moderated = started) {
            moderated
                    .server()
                    .post(
                            "/system/v1/webhooks",
                            "{\"url\": \"%s\", \"events\": [\"audit_check\"]}"
                                    .formatted(site.address("/")));
            for (LiveAddress stream : moderated.streams()) {
                moderated.moderate(stream, intervalSeconds, /* threshold= */ 0.5, "");
            }
            try (Senders senders = Senders.start(moderated.streams(), media, ROUND_MS)) {
                report.note(
                        "%d streams, both demo models, a frame each %d s",
                        streams, intervalSeconds);
                int code = measure(moderated);
                senders.requireAlive();
                return code;
            }
        }
    }

    private void received(byte[] body) throws IOException {
        long atMs = System.currentTimeMillis();
        JsonNode event = JSON.readTree(body);
        receivedMs.putIfAbsent(event.path("id").asText(), atMs);
    }

    private int measure(ModeratedServer moderated) throws Exception {
        Thread.sleep(WARM_UP);
        ProcessHandle process = moderated.server().process();
        long fromMs = System.currentTimeMillis();
        double fromCpu = ProcessUsage.of(process).cpuSeconds();
        Thread.sleep(measured);
        long toMs = System.currentTimeMillis();
        double cpuSeconds = ProcessUsage.of(process).cpuSeconds() - fromCpu;
        Thread.sleep(LAST_EVENTS);
        boolean framesLost = framesLost(moderated);
        int missing = alerts(moderated, fromMs, toMs);
        double cores = cpuSeconds * 1_000 / (toMs - fromMs);
        turnsOf.cores().add(cores);
        report.table("cpu", "streams | server's cores in use").row(streams, cores);
        return missing > 0 || framesLost ? 1 : 0;
    }

    /** Counts since the start of the server, warm-up included. */
    private boolean framesLost(ModeratedServer moderated) throws Exception {
        Object[] counts = new Object[5];
        String[] names = {"sampled", "analysed", "dropped", "failed", "undecodable"};
        for (int i = 0; i < names.length; i++) {
            String metric = "touchline_moderation_" + names[i] + "_total";
            counts[i] = Math.round(moderated.server().metric(metric));
        }
        report.table("frames_since_the_start", String.join(" | ", names)).row(counts);
        return !(counts[2].equals(0L) && counts[3].equals(0L) && counts[4].equals(0L));
    }

    /** Returns the number of measured records without an event. */
    private int alerts(ModeratedServer moderated, long fromMs, long toMs) throws Exception {
        Samples toWebhook = new Samples();
        int[] missing = {0};
        moderated
                .server()
                .each(
                        "/audit/v1/records/moderation-records",
                        record -> {
                            long capturedMs = record.path("captured_at").asLong();
                            Long atMs = receivedMs.get(record.path("event_id").asText());
                            if (capturedMs >= fromMs && capturedMs < toMs) {
                                if (atMs == null) {
                                    missing[0]++;
                                } else {
                                    toWebhook.add((double) (atMs - capturedMs));
                                    turnsOf.webhookMs().add((double) (atMs - capturedMs));
                                }
                            }
                        });
        Samples toVerdict = new Samples();
        for (LiveAddress stream : moderated.streams()) {
            moderated.eachFrame(
                    stream,
                    frame -> {
                        long capturedMs = frame.path("captured_at").asLong();
                        if (capturedMs >= fromMs && capturedMs < toMs) {
                            double ms = frame.path("judged_at").asLong() - capturedMs;
                            toVerdict.add(ms);
                            turnsOf.verdictMs().add(ms);
                        }
                    });
        }
        Report.Table table =
                report.table(
                        "after_arrival_ms",
                        "streams | until | count | missing | median | p95 | most");
        row(table, "models have answered", toVerdict, /* missing= */ 0);
        row(table, "webhook received", toWebhook, missing[0]);
        return missing[0];
    }

    private void row(Report.Table table, String until, Samples ms, int missing) {
        table.row(streams, until, ms.count(), missing, ms.median(), ms.percentile(95), ms.max());
    }
}
