package touchline.benchmarks.overlay;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * CPU seconds of an overlay stream over a main stream, video and audio, in a compositor and in the
 * ffmpeg program with the filters {@code overlay} and {@code amix} and the same encoder settings,
 * in turns. Then, on request, lip sync.
 */
public final class OverlayStreamLoad implements Benchmark {
    private static final int WARM_UPS = 2;
    private static final int MAIN_WIDTH = 1280;
    private static final int MAIN_HEIGHT = 720;
    private static final int SECOND_WIDTH = 640;
    private static final int SECOND_HEIGHT = 360;
    private static final double[] CLOCKS_PERCENT = {0.5, -0.5};
    private static final long MINUTE_US = 60_000_000;

    /** Time to estimate the ratio of the two clocks. */
    private static final long SETTLED_US = 10_000_000;

    /** The audio of the program. */
    private enum Audio {
        /** The main audio passes without being encoded again. */
        MAIN,
        MIX;

        AudioMix mix() {
            return switch (this) {
                case MAIN -> new AudioMix(AudioMix.Mode.MAIN, 1, 1);
                case MIX -> new AudioMix(AudioMix.Mode.MIX, 0.5, 0.5);
            };
        }
    }

    private final int rounds;
    private final int seconds;
    private final Duration lipSync;
    private final Report report;

    /**
     * Rounds and seconds of media in a round: 5 and 20 by default; {@code --minutes} of media for
     * lip sync, 0 by default.
     */
    public OverlayStreamLoad(Arguments given, Report report) {
        rounds = given.number(0, 5);
        seconds = given.number(1, 20);
        lipSync = Duration.ofMinutes(given.option("--minutes", 0));
        this.report = report;
    }

    @Override
    public int run() throws IOException, InterruptedException {
        if (rounds > 0) {
            compare();
        }
        if (!lipSync.isZero()) {
            lipSync();
        }
        return 0;
    }

    private void lipSync() throws IOException, InterruptedException {
        Report.Table table =
                report.table(
                        "lip_sync",
                        "clock % fast | minutes | flashes | frame behind audio ms, least | median"
                                + " | most | first minute | last minute | frames | dropped");
        for (double percent : CLOCKS_PERCENT) {
            report.note("lip sync with a clock that is %.1f %% fast", percent);
            LipSyncRun run = new LipSyncRun(1 + percent / 100);
            FlashAndBeep found = run.run(lipSync);
            long endUs = lipSync.toMillis() * 1_000;
            Samples all = found.offsetsMs(SETTLED_US, endUs);
            table.row(
                    percent,
                    lipSync.toMinutes(),
                    all.count(),
                    all.percentile(0),
                    all.median(),
                    all.max(),
                    found.offsetsMs(SETTLED_US, MINUTE_US).median(),
                    found.offsetsMs(endUs - MINUTE_US, endUs).median(),
                    run.frames(),
                    run.dropped());
        }
    }

    private void compare() throws IOException, InterruptedException {
        TestPush main = TestPush.make(MAIN_WIDTH, MAIN_HEIGHT, seconds, /* toneHz= */ 1_000);
        TestPush second = TestPush.make(SECOND_WIDTH, SECOND_HEIGHT, seconds, /* toneHz= */ 3_000);
        Report.Table table =
                report.table("cpu", "audio | frames | dropped | compositor s | ffmpeg s | ratio");
        for (Audio audio : Audio.values()) {
            Samples ours = new Samples();
            Samples theirs = new Samples();
            long dropped = 0;
            for (int round = -WARM_UPS; round < rounds; round++) {
                report.note("audio %s, round %d", audio, round);
                OverlayStreamRun run = new OverlayStreamRun(main, second, audio.mix());
                double own = run.cpuSeconds();
                if (round >= 0) {
                    ours.add(own);
                    dropped += run.dropped();
                    theirs.add(Command.cpuSeconds(ffmpeg(main, second, audio)));
                }
            }
            table.row(
                    audio.name(),
                    main.frames(),
                    dropped,
                    ours.median(),
                    theirs.median(),
                    ours.median() / theirs.median());
        }
    }

    private static List<String> ffmpeg(TestPush main, TestPush second, Audio audio) {
        int width = MAIN_WIDTH / 4;
        String mixed = ";[0:a]volume=0.5[m];[1:a]volume=0.5[s];[m][s]amix=inputs=2:normalize=0[a]";
        boolean mix = audio == Audio.MIX;
        return Command.words(
                "ffmpeg -v error -y -threads 1 -i %s -threads 1 -i %s -filter_complex_threads 1"
                        + " -filter_complex [1:v]scale=%d:%d:flags=area[b];"
                        + "[0:v][b]overlay=x=0:y=0:format=yuv420[v]%s -map [v] %s %s -f null -",
                main.file(),
                second.file(),
                width,
                width * SECOND_HEIGHT / SECOND_WIDTH,
                mix ? mixed : "",
                mix ? "-map [a] -c:a aac -b:a 192k" : "-map 0:a -c:a copy",
                CompositorSession.X264);
    }
}
