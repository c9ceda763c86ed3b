package touchline.benchmarks.transcode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.file.SeekableBytes;
import touchline.media.transcode.FileEncoding;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.FileTranscoder;
import touchline.media.transcode.TranscodeRequest;

/**
 * The same job by our transcoder and by the ffmpeg program of the host: x264 with the same preset,
 * rate, key frames and threads, in turns in one run. The transcoder runs in this JVM, warm as a
 * worker is that does its second job. Then what jobs do to live streams beside them.
 */
public final class TranscodeSpeed {
    private static final int VIDEO_BPS = 1_500_000;
    private static final int AUDIO_BPS = 128_000;

    /**
     * @param seconds of the input, 720p at 30 frames a second
     * @param rounds of each side
     * @param beside how long live streams run with jobs, and before that without; zero leaves it
     *     out
     */
    public record Plan(int seconds, int rounds, Duration beside) {
        /** Seconds of the input, rounds, {@code --beside N}: 30, 3 and 60 s unless given. */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 30),
                    given.number(1, 3),
                    Duration.ofSeconds(given.option("--beside", 60)));
        }
    }

    private final Path launcher;
    private final Plan plan;
    private final Report report;
    private final int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 16);

    /**
     * @param launcher the {@code touchline} script
     */
    public TranscodeSpeed(Path launcher, Plan plan, Report report) {
        this.launcher = launcher;
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Path results) throws Exception {
        Path folder = Files.createTempDirectory("touchline-bench-transcode");
        try {
            Path input = MatchFile.make(folder, plan.seconds());
            if (plan.rounds() > 0) {
                compare(input, folder);
            }
            if (!plan.beside().isZero()) {
                new BesideLive(launcher, report, folder).run(input, plan.seconds(), plan.beside());
            }
            report.finish(results);
            return 0;
        } finally {
            remove(folder);
        }
    }

    private void compare(Path input, Path folder) throws Exception {
        List<List<Object>> rows = new ArrayList<>();
        for (int height : List.of(720, 360)) {
            rows.add(row(input, folder, height));
        }
        report.table(
                "transcode",
                List.of(
                        "job",
                        "ours s",
                        "ffmpeg s",
                        "ffmpeg by ours",
                        "least",
                        "most",
                        "times real time"),
                rows);
    }

    private List<Object> row(Path input, Path folder, int height) throws Exception {
        Samples ours = new Samples();
        Samples theirs = new Samples();
        Samples ratios = new Samples();
        ours(input, folder, height);
        for (int round = 0; round < plan.rounds(); round++) {
            double own = ours(input, folder, height);
            double other = theirs(input, folder, height);
            report.note("720p to %dp: %.2f s, ffmpeg %.2f s", height, own, other);
            ours.add(own);
            theirs.add(other);
            ratios.add(other / own);
        }
        return List.of(
                "mp4, 720p to " + height + "p",
                ours.median(),
                theirs.median(),
                theirs.median() / ours.median(),
                ratios.percentile(0),
                ratios.max(),
                plan.seconds() / ours.median());
    }

    private double ours(Path input, Path folder, int height) throws Exception {
        Path out = Files.createDirectories(folder.resolve("ours"));
        remove(out);
        Files.createDirectories(out);
        TranscodeRequest request =
                new TranscodeRequest(
                        FileFormat.MP4,
                        List.of(height),
                        OptionalInt.of(VIDEO_BPS),
                        OptionalInt.of(AUDIO_BPS));
        long startNs = System.nanoTime();
        try (SeekableBytes bytes = SeekableBytes.open(input)) {
            FileTranscoder.transcode(
                    bytes,
                    out,
                    request,
                    new FileEncoding(H264Encoder.X264, VideoSettings.Speed.VERYFAST, threads),
                    _ -> {});
        }
        return (System.nanoTime() - startNs) / 1e9;
    }

    private double theirs(Path input, Path folder, int height) throws Exception {
        int max = VIDEO_BPS * 5 / 4;
        long startNs = System.nanoTime();
        MatchFile.ffmpeg(
                List.of(
                        "-threads",
                        Integer.toString(threads),
                        "-i",
                        input.toString(),
                        "-vf",
                        "scale=-2:" + height + ":flags=bicubic,format=yuv420p",
                        "-c:v",
                        "libx264",
                        "-preset",
                        "veryfast",
                        "-profile:v",
                        "high",
                        "-threads",
                        Integer.toString(threads),
                        "-bf",
                        "2",
                        "-b:v",
                        Integer.toString(VIDEO_BPS),
                        "-maxrate",
                        Integer.toString(max),
                        "-bufsize",
                        Integer.toString(2 * max),
                        "-g",
                        "1200",
                        "-force_key_frames",
                        "expr:gte(t,n_forced*2)",
                        "-x264-params",
                        "scenecut=0:open-gop=0",
                        "-c:a",
                        "aac",
                        "-b:a",
                        Integer.toString(AUDIO_BPS),
                        "-movflags",
                        "+faststart"),
                folder.resolve("theirs.mp4"));
        return (System.nanoTime() - startNs) / 1e9;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
