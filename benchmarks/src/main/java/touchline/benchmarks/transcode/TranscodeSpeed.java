package touchline.benchmarks.transcode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
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
 * The same job by this project's transcoder and by the ffmpeg program: x264 with the same preset,
 * rate, key frames and threads, in turns. The transcoder runs in this JVM and is warm, like a
 * worker in its second job. Then live streams beside jobs.
 */
public final class TranscodeSpeed implements Benchmark {
    private static final int VIDEO_BPS = 1_500_000;
    private static final int AUDIO_BPS = 128_000;

    private final int seconds;
    private final int rounds;
    private final Duration beside;
    private final Report report;
    private final int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 16);

    /**
     * Seconds of the input, 720p30, and rounds of each side: 30 and 3 by default; {@code --beside}
     * seconds of live streams with jobs, and before that without, 60 by default.
     */
    public TranscodeSpeed(Arguments given, Report report) {
        seconds = given.number(0, 30);
        rounds = given.number(1, 3);
        beside = Duration.ofSeconds(given.option("--beside", 60));
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        Path folder = Files.createTempDirectory("touchline-bench-transcode");
        try {
            Path input = input();
            if (rounds > 0) {
                compare(input, folder);
            }
            if (!beside.isZero()) {
                new BesideLive(report, folder).run(input, seconds, beside);
            }
            return 0;
        } finally {
            remove(folder);
        }
    }

    private Path input() throws IOException, InterruptedException {
        return Command.file(
                "touchline-bench-match-%ds.mp4".formatted(seconds),
                Command.words(
                        "ffmpeg -v error -y -f lavfi -i testsrc2=s=1280x720:r=30:d=%1$d -f lavfi -i"
                                + " anoisesrc=a=0.1:r=48000:d=%1$d -c:v libx264 -preset veryfast"
                                + " -c:a aac -f mp4",
                        seconds));
    }

    private void compare(Path input, Path folder) throws Exception {
        Report.Table table =
                report.table(
                        "transcode",
                        "job | ours s | ffmpeg s | ffmpeg by ours | least | most"
                                + " | times real time");
        for (int height : List.of(720, 360)) {
            Samples ours = new Samples();
            Samples theirs = new Samples();
            Samples ratios = new Samples();
            ours(input, folder, height);
            for (int round = 0; round < rounds; round++) {
                double own = ours(input, folder, height);
                double other = theirs(input, folder, height);
                report.note("720p to %dp: %.2f s, ffmpeg %.2f s", height, own, other);
                ours.add(own);
                theirs.add(other);
                ratios.add(other / own);
            }
            table.row(
                    "mp4, 720p to " + height + "p",
                    ours.median(),
                    theirs.median(),
                    theirs.median() / ours.median(),
                    ratios.percentile(0),
                    ratios.max(),
                    seconds / ours.median());
        }
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
        List<String> command =
                Command.words(
                        "ffmpeg -v error -y -threads %1$d -i %2$s"
                                + " -vf scale=-2:%3$d:flags=bicubic,format=yuv420p -c:v libx264"
                                + " -preset veryfast -profile:v high -threads %1$d -bf 2 -b:v %4$d"
                                + " -maxrate %5$d -bufsize %6$d -g 1200"
                                + " -force_key_frames expr:gte(t,n_forced*2)"
                                + " -x264-params scenecut=0:open-gop=0 -c:a aac -b:a %7$d"
                                + " -movflags +faststart %8$s",
                        threads,
                        input,
                        height,
                        VIDEO_BPS,
                        max,
                        2 * max,
                        AUDIO_BPS,
                        folder.resolve("theirs.mp4"));
        long startNs = System.nanoTime();
        Command.require(command);
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
