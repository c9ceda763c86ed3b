package touchline.benchmarks.overlay;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * CPU seconds of a second push over a programme, frame and audio, in a compositor and in the ffmpeg
 * command line with the filters {@code overlay} and {@code amix} and the same settings of the
 * encoders, turn by turn in one run.
 */
public final class OverlayStreamLoad {
    private static final int WARM_UPS = 2;
    private static final int MAIN_WIDTH = 1280;
    private static final int MAIN_HEIGHT = 720;
    private static final int SECOND_WIDTH = 640;
    private static final int SECOND_HEIGHT = 360;
    private static final double[] CLOCKS_PERCENT = {0.5, -0.5};

    /** When the relation of the two clocks has been found. */
    private static final long SETTLED_US = 10_000_000;

    /**
     * @param rounds of each side, 5 for a median that says something
     * @param seconds of media in a round
     * @param lipSync how much media frame and audio are compared in; zero leaves it out
     */
    public record Plan(int rounds, int seconds, Duration lipSync) {
        /**
         * {@code --minutes N} of frame against audio, none unless given; rounds and seconds of
         * media in each, 5 and 20 unless given.
         */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 5),
                    given.number(1, 20),
                    Duration.ofMinutes(given.option("--minutes", 0)));
        }
    }

    /** What is heard. */
    private enum Audio {
        /** The main audio passes, and is not encoded again. */
        MAIN,
        MIX;

        AudioMix mix() {
            return switch (this) {
                case MAIN -> new AudioMix(AudioMix.Mode.MAIN, 1, 1);
                case MIX -> new AudioMix(AudioMix.Mode.MIX, 0.5, 0.5);
            };
        }
    }

    private final Plan plan;
    private final Report report;

    public OverlayStreamLoad(Plan plan, Report report) {
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Path results) throws IOException, InterruptedException {
        if (plan.rounds() > 0) {
            compare();
        }
        if (!plan.lipSync().isZero()) {
            lipSync();
        }
        report.finish(results);
        return 0;
    }

    private void lipSync() throws IOException, InterruptedException {
        List<List<Object>> rows = new ArrayList<>();
        for (double percent : CLOCKS_PERCENT) {
            report.note("frame against audio, a clock that is %.1f %% fast", percent);
            LipSyncRun run = new LipSyncRun(1 + percent / 100);
            FlashAndBeep seen = run.run(plan.lipSync());
            long endUs = plan.lipSync().toMillis() * 1_000;
            long minuteUs = 60_000_000;
            Samples all = seen.offsetsMs(SETTLED_US, endUs);
            rows.add(
                    List.of(
                            percent,
                            plan.lipSync().toMinutes(),
                            all.count(),
                            all.percentile(0),
                            all.median(),
                            all.max(),
                            seen.offsetsMs(SETTLED_US, minuteUs).median(),
                            seen.offsetsMs(endUs - minuteUs, endUs).median(),
                            run.frames(),
                            run.dropped()));
        }
        report.table(
                "lip_sync",
                List.of(
                        "clock % fast",
                        "minutes",
                        "flashes",
                        "frame behind audio ms, least",
                        "median",
                        "most",
                        "first minute",
                        "last minute",
                        "frames",
                        "left out"),
                rows);
    }

    private void compare() throws IOException, InterruptedException {
        TestPush main =
                TestPush.make(new TestPush.Source(MAIN_WIDTH, MAIN_HEIGHT, plan.seconds(), 1_000));
        TestPush second =
                TestPush.make(
                        new TestPush.Source(SECOND_WIDTH, SECOND_HEIGHT, plan.seconds(), 3_000));
        List<List<Object>> rows = new ArrayList<>();
        for (Audio audio : Audio.values()) {
            Samples ours = new Samples();
            Samples theirs = new Samples();
            long dropped = 0;
            for (int round = -WARM_UPS; round < plan.rounds(); round++) {
                report.note("audio %s, round %d", audio, round);
                OverlayStreamRun run = new OverlayStreamRun(main, second, audio.mix());
                double own = run.cpuSeconds();
                if (round >= 0) {
                    ours.add(own);
                    dropped += run.dropped();
                    theirs.add(ShellRun.cpuSeconds(line(main, second, audio)));
                }
            }
            rows.add(
                    List.of(
                            audio.name(),
                            main.frames(),
                            dropped,
                            ours.median(),
                            theirs.median(),
                            ours.median() / theirs.median()));
        }
        report.table(
                "cpu",
                List.of("audio", "frames", "left out", "compositor s", "ffmpeg s", "ratio"),
                rows);
    }

    private static String line(TestPush main, TestPush second, Audio audio) {
        int width = MAIN_WIDTH / 4;
        int height = width * SECOND_HEIGHT / SECOND_WIDTH;
        String frames =
                "[1:v]scale=%d:%d:flags=area[b];[0:v][b]overlay=x=0:y=0:format=yuv420[v]"
                        .formatted(width, height);
        String mixed =
                audio == Audio.MIX
                        ? ";[0:a]volume=0.5[m];[1:a]volume=0.5[s];"
                                + "[m][s]amix=inputs=2:normalize=0[a]"
                        : "";
        String mapped =
                audio == Audio.MIX
                        ? "-map '[v]' -map '[a]' -c:a aac -b:a 192k"
                        : "-map '[v]' -map 0:a -c:a copy";
        return ("ffmpeg -v error -y -threads 1 -i %s -threads 1 -i %s -filter_complex_threads 1"
                        + " -filter_complex '%s%s' %s -c:v libx264 -preset veryfast -tune"
                        + " zerolatency -profile:v high -threads 1 -b:v %d -maxrate %d -bufsize %d"
                        + " -x264-params scenecut=0:open-gop=0:keyint=60 -f null -")
                .formatted(
                        main.file(),
                        second.file(),
                        frames,
                        mixed,
                        mapped,
                        CompositorRun.BITRATE_BPS,
                        CompositorRun.BITRATE_BPS,
                        CompositorRun.BITRATE_BPS);
    }
}
