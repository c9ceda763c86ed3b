package touchline.benchmarks.moderation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.FlvFile;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;

/**
 * The same by RTMP and the demo models: stretches of one interval of forbidden frames, with clean
 * key frames between them, pushed in real time. Counts those with a record.
 */
final class LiveCoverage {
    private static final int LOOP_SECONDS = 20;
    private static final int LOOPS = 3;
    private static final int STRETCHES_IN_LOOP = 3;

    /** Records of one stretch are closer, those of two stretches farther apart. */
    private static final long APART_MS = 2_000;

    private static final long LAST_RECORDS_MS = 4_000;

    private LiveCoverage() {}

    /** Returns whether each stretch has a record. */
    static boolean run(Report report) throws Exception {
        PushMedia media = PushMedia.of(FlvFile.read(file()), LOOPS + 1);
        try (ModeratedServer moderated = ModeratedServer.start(2, "low")) {
            LiveAddress plain = moderated.streams().getFirst();
            LiveAddress gated = moderated.streams().getLast();
            moderated.moderate(plain, 1, /* threshold= */ 0.5, "");
            moderated.moderate(gated, 1, /* threshold= */ 0.5, ", \"gate\": true, \"samples\": 2");
            List<String> sessions = new ArrayList<>();
            try (Senders senders = Senders.start(moderated.streams(), media)) {
                Thread.sleep(LOOPS * LOOP_SECONDS * 1_000L);
                Thread.sleep(LAST_RECORDS_MS / 2);
                for (LiveAddress each : moderated.streams()) {
                    String path = "/live/v1/live-streams/" + each.id();
                    sessions.add(moderated.server().get(path).path("active_session_id").asText());
                }
                senders.requireAlive();
            }
            Thread.sleep(LAST_RECORDS_MS);
            Report.Table table =
                    report.table(
                            "live", "by RTMP, GOP 15 frames, interval 1 s | stretches | found");
            int expected = LOOPS * STRETCHES_IN_LOOP;
            int first = found(moderated, sessions.getFirst());
            int second = found(moderated, sessions.getLast());
            table.row("one sample", expected, first);
            table.row("two samples and a gate", expected, second);
            return first == expected && second == expected;
        }
    }

    /** Magenta in three stretches, but for the key frames. */
    private static Path file() throws IOException, InterruptedException {
        return Command.file(
                "touchline-bench-clean-key-frames-20s.flv",
                List.of(
                        "ffmpeg",
                        "-v",
                        "error",
                        "-y",
                        "-f",
                        "lavfi",
                        "-i",
                        "color=c=0x204020:size=640x360:rate=30,noise=alls=6:allf=t,drawbox="
                                + "x=100:y=60:w=240:h=200:color=0xFF00FF:t=fill:enable="
                                + "'gt(mod(n,15),0)*(between(t,3.3,4.29)"
                                + "+between(t,9.7,10.69)+between(t,15.1,16.09))'",
                        "-t",
                        String.valueOf(LOOP_SECONDS),
                        "-c:v",
                        "libx264",
                        "-preset",
                        "superfast",
                        "-pix_fmt",
                        "yuv420p",
                        "-bf",
                        "2",
                        "-b:v",
                        "1500k",
                        "-g",
                        "15",
                        "-keyint_min",
                        "15",
                        "-sc_threshold",
                        "0",
                        "-f",
                        "flv"));
    }

    private static int found(ModeratedServer moderated, String session)
            throws IOException, InterruptedException {
        TreeSet<Long> capturedMs = new TreeSet<>();
        moderated
                .server()
                .each(
                        "/audit/v1/records/moderation-records?stream_session_id=" + session,
                        record -> capturedMs.add(record.path("captured_at").asLong()));
        int groups = 0;
        long before = Long.MIN_VALUE / 2;
        for (long atMs : capturedMs) {
            groups += atMs - before > APART_MS ? 1 : 0;
            before = atMs;
        }
        return groups;
    }
}
