package touchline.benchmarks.assets;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import touchline.benchmarks.assets.Packets.Packet;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Joins ten ranges of two recordings, all with both ends between key frames, and compares every
 * edge and every whole GOP with the sources.
 */
final class ReelLoad {
    private static final int RANGES = 10;
    private static final int SECONDS = 10;
    private static final int RATE = 30;

    /** Distance from a key frame. */
    private static final double OFF_KEY_SECONDS = 0.7;

    /** Range that is searched before and after an edge. */
    private static final double WINDOW_SECONDS = 1;

    /** Seeks to a time before a frame, so that decoding begins with this frame. */
    private static final double BEFORE_SECONDS = 0.010;

    private final TouchlineServer server;
    private final Report report;
    private final List<Source> sources;
    private final int rounds;

    /** A recording. */
    record Source(String id, URI mp4, Packets packets, int seconds) {}

    /** A range, from these seconds of a source on. */
    private record Range(Source source, double start) {}

    ReelLoad(TouchlineServer server, Report report, List<Source> sources, int rounds) {
        this.server = server;
        this.report = report;
        this.sources = List.copyOf(sources);
        this.rounds = rounds;
    }

    /**
     * @throws IOException an edge or a packet differs from its source
     */
    void run() throws Exception {
        Samples readyMs = new Samples();
        Samples cpu = new Samples();
        Report.Table table =
                report.table(
                        "reels",
                        RANGES
                                + " ranges of "
                                + SECONDS
                                + " s | ready after ms | CPU s | packets of whole GOPs, all the"
                                + " sources' | edges off by a frame or more");
        for (int i = 0; i <= rounds; i++) {
            List<Range> ranges = ranges(i);
            double before = ProcessUsage.of(server.process()).cpuSeconds();
            long startNs = System.nanoTime();
            JsonNode reel = AssetRequests.cut(server, body(ranges));
            double ms = (System.nanoTime() - startNs) / 1e6;
            double used = ProcessUsage.of(server.process()).cpuSeconds() - before;
            String mp4 = AssetRequests.mp4(server, reel).toString();
            table.row(
                    i == 0 ? "first" : "reel " + i,
                    ms,
                    used,
                    keptPackets(ranges, Packets.of(mp4)),
                    edgesOff(ranges, SmallFrames.of(mp4)));
            if (i > 0) {
                readyMs.add(ms);
                cpu.add(used);
            }
        }
        table.row("median after the first", readyMs.median(), cpu.median(), "-", "-");
    }

    /** In turns of both sources, later ones first. */
    private List<Range> ranges(int round) {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < RANGES; i++) {
            Source source = sources.get(i % sources.size());
            double latest = source.seconds() - SECONDS - 2;
            double start = latest * (RANGES - i - 0.5) / RANGES;
            start = Math.floor(start / 2) * 2 + OFF_KEY_SECONDS + round * 0.1;
            ranges.add(new Range(source, start));
        }
        return ranges;
    }

    private static String body(List<Range> ranges) {
        List<String> each = new ArrayList<>();
        for (Range range : ranges) {
            each.add(
                    String.format(
                            Locale.ROOT,
                            "{\"asset_id\":\"%s\",\"start_time\":%.1f,\"end_time\":%.1f}",
                            range.source().id(),
                            range.start(),
                            range.start() + SECONDS));
        }
        return "{\"ranges\":" + each + "}";
    }

    private static int keptPackets(List<Range> ranges, Packets reel) throws IOException {
        int kept = 0;
        int from = 0;
        for (Range range : ranges) {
            List<Packet> inner =
                    ClipCheck.wholeGops(range.source().packets(), range.start(), SECONDS);
            int at = ClipCheck.find(reel.video().subList(from, reel.video().size()), inner);
            from += at + inner.size();
            kept += inner.size();
        }
        return kept;
    }

    /** Of the first and the last frame of each range. */
    private static int edgesOff(List<Range> ranges, SmallFrames reel)
            throws IOException, InterruptedException {
        int frames = SECONDS * RATE;
        if (reel.count() != ranges.size() * frames) {
            throw new IOException(
                    "frames: %d (expected: %d)".formatted(reel.count(), ranges.size() * frames));
        }
        int off = 0;
        for (int i = 0; i < ranges.size(); i++) {
            double start = ranges.get(i).start();
            String source = ranges.get(i).source().mp4().toString();
            double end = start + SECONDS - 1.0 / RATE;
            off += isAt(source, start, reel.at(i * frames)) ? 0 : 1;
            off += isAt(source, end, reel.at((i + 1) * frames - 1)) ? 0 : 1;
        }
        return off;
    }

    private static boolean isAt(String source, double seconds, byte[] frame)
            throws IOException, InterruptedException {
        double from = seconds - WINDOW_SECONDS - BEFORE_SECONDS;
        int skipped = from < 0 ? (int) Math.round((seconds - WINDOW_SECONDS) * RATE) : 0;
        SmallFrames around = SmallFrames.of(source, Math.max(0, from), 2 * WINDOW_SECONDS);
        return around.mostLike(frame) == (int) (WINDOW_SECONDS * RATE) + skipped;
    }
}
