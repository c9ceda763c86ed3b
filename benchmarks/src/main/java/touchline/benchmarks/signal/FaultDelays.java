package touchline.benchmarks.signal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.decoding.GopDecoders;
import touchline.media.hub.Feed;
import touchline.media.signal.SignalCounters;
import touchline.media.signal.SignalFault;
import touchline.media.signal.SignalListener;
import touchline.media.signal.SignalSample;
import touchline.media.signal.SignalWatch;
import touchline.media.signal.WatchedMedia;

/** How long after its begin a fault is reported, and its end, at the speed of a camera. */
final class FaultDelays {
    private static final int SECONDS = 46;

    /** Where faults of the video begin between two key frames, which are 2 s apart. */
    private static final List<Double> PHASES = List.of(0.1, 0.7, 1.3, 1.9);

    private static final Map<SignalFault, Stretch> AUDIO =
            Map.of(
                    SignalFault.AUDIO_SILENT, new Stretch(6, 18),
                    SignalFault.AUDIO_ONE_SIDED, new Stretch(20, 32),
                    SignalFault.AUDIO_CLIPPING, new Stretch(34, 40));

    private final Report report;
    private final Map<SignalFault, Samples> begins = new EnumMap<>(SignalFault.class);
    private final Map<SignalFault, Samples> ends = new EnumMap<>(SignalFault.class);

    /** In seconds of the media. */
    private record Stretch(double from, double to) {}

    private record Change(SignalFault fault, boolean begins, long ns) {}

    FaultDelays(Report report) {
        this.report = report;
    }

    /** Returns whether each fault was reported once. */
    boolean run() throws Exception {
        List<Queue<Change>> changes = new ArrayList<>();
        List<SentPush> sent = new ArrayList<>();
        long startNs;
        try (SignalWatch watch =
                new SignalWatch(GopDecoders.LOCAL, new SignalCounters(), Clock.systemUTC())) {
            List<SignalWatch.Watched> watched = new ArrayList<>();
            for (double phase : PHASES) {
                Feed feed = new Feed();
                Queue<Change> own = new ConcurrentLinkedQueue<>();
                changes.add(own);
                WatchedMedia media = WatchedMedia.of(feed, feed, () -> false);
                watched.add(watch.watch("delays", media, new Noting(own)));
                sent.add(new SentPush(push(phase), feed, 0, SECONDS));
            }
            startNs = System.nanoTime();
            SentPush.send(sent, startNs, SECONDS - 1);
            watched.forEach(SignalWatch.Watched::close);
        }
        boolean once = true;
        for (int i = 0; i < PHASES.size(); i++) {
            once &= take(changes.get(i), PHASES.get(i), startNs);
        }
        Report.Table table =
                report.table(
                        "delays",
                        "fault | begin s, median | begin s, max | end s, median | end s, max");
        begins.forEach(
                (fault, begin) -> {
                    Samples end = ends.getOrDefault(fault, new Samples());
                    table.row(fault.code(), begin.median(), begin.max(), end.median(), end.max());
                });
        return once && begins.size() == SignalFault.values().length;
    }

    private boolean take(Queue<Change> changes, double phase, long startNs) {
        for (Change each : changes) {
            Stretch fault = stretch(each.fault(), phase);
            double at = (each.ns() - startNs) / 1e9;
            Map<SignalFault, Samples> all = each.begins() ? begins : ends;
            all.computeIfAbsent(each.fault(), _ -> new Samples())
                    .add(at - (each.begins() ? fault.from() : fault.to()));
        }
        return changes.size() == 2 * SignalFault.values().length;
    }

    private static Stretch stretch(SignalFault fault, double phase) {
        return switch (fault) {
            case VIDEO_BLACK -> new Stretch(6 + phase, 20 + phase);
            case VIDEO_FROZEN -> new Stretch(26 + phase, 40 + phase);
            case AUDIO_SILENT, AUDIO_ONE_SIDED, AUDIO_CLIPPING ->
                    Objects.requireNonNull(AUDIO.get(fault));
        };
    }

    private static TestPush push(double phase) throws Exception {
        String moving = "testsrc2=s=640x360:r=30:d=%.1f";
        String video =
                (moving + "[a];color=black:s=640x360:r=30:d=14[b];testsrc2=s=640x360:r=30:d=6[c];")
                                .formatted(6 + phase)
                        + "smptehdbars=s=640x360:r=30:d=14[d];testsrc2=s=640x360:r=30:d=8[e];"
                        + "[a][b][c][d][e]concat=n=5,format=yuv420p[v];";
        String tone =
                "if(between(t,6,18),0,if(between(t,34,40),clip(4*sin(2764.6*t),-1,1),"
                        + "0.1*sin(2764.6*t)))";
        String audio =
                "aevalsrc='%1$s|if(between(t,20,32),0,%1$s)':s=48000:d=%2$d,aformat=channel_layouts=stereo[o]"
                        .formatted(tone, SECONDS);
        List<String> command = new ArrayList<>(Command.words("ffmpeg -v error -y -filter_complex"));
        command.add(video + audio);
        command.addAll(
                Command.words(
                        "-map [v] -map [o] -t %d -c:v libx264 -preset veryfast -b:v 1M -maxrate 1M"
                                + " -bufsize 1M -g 60 -sc_threshold 0 -c:a aac -b:a 96k -f flv",
                        SECONDS));
        return TestPush.make("touchline-bench-faults-%.1f.flv".formatted(phase), command);
    }

    private record Noting(Queue<Change> changes) implements SignalListener {
        @Override
        public void sampled(SignalSample sample) {}

        @Override
        public void began(SignalFault fault, Instant at) {
            changes.add(new Change(fault, /* begins= */ true, System.nanoTime()));
        }

        @Override
        public void ended(SignalFault fault, Instant at) {
            changes.add(new Change(fault, /* begins= */ false, System.nanoTime()));
        }

        @Override
        public void refused(DecodingRefusedException cause) {
            throw cause;
        }
    }
}
