package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.packager.conformance.ConformanceChecker;
import touchline.testing.SyntheticStream;

/** A recorded session whose beginning another server has recorded, in a window here. */
abstract class TakenOverCase {
    static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(500));
    static final SyntheticStream MEDIA = SyntheticStream.standard().bFrames(0).seconds(5);

    /** Where the first segment here starts, 108: the former server may have used up to 107. */
    static final long START_US = 100_000_000;

    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    final CountedMemory memory = new CountedMemory();
    final List<LiveWindow> opened = new ArrayList<>();
    final List<Path> asked = new ArrayList<>();

    @TempDir Path folder;

    @BeforeEach
    void inits() throws IOException {
        Files.writeString(folder.resolve("init0.mp4"), "first");
        Files.writeString(folder.resolve("init1.mp4"), "second");
    }

    @AfterEach
    void everyBlockIsGivenBack() {
        opened.forEach(LiveWindow::close);
        assertEquals(0, memory.liveBlocks());
    }

    /** The discontinuity of its newest segment was the first one; number 2 to 7 may be used. */
    LiveWindow resumed() throws IOException {
        return resumed(PackagerRig.settings(LOW, 108, /* recorded= */ true));
    }

    LiveWindow resumed(LiveWindow.Settings settings) throws IOException {
        return resumed(settings, elsewhere());
    }

    /** Behind a server whose live playlist began with a number. */
    LiveWindow resumedBehind(long listedFrom) throws IOException {
        return resumed(
                PackagerRig.settings(LOW, 108, /* recorded= */ true),
                elsewhere()
                        .behind(
                                new StoredWindow.Known(
                                        104,
                                        START_US - 4_500_000,
                                        START.plusMillis(95_500),
                                        2_000_000,
                                        listedFrom)));
    }

    private LiveWindow resumed(LiveWindow.Settings settings, StoredWindow before)
            throws IOException {
        LiveWindow window = LiveWindow.resume(settings, memory, before);
        opened.add(window);
        return window;
    }

    private static StoredWindow elsewhere() {
        return StoredWindow.elsewhere(
                new StoredWindow.Targets(6, 500_000, 7),
                66_000,
                START_US,
                START.plusSeconds(100),
                8,
                1 << 24);
    }

    /** From {@link #START_US} on, as the hub's feed of a resumed session. */
    PackagerRig fed(LiveWindow window) {
        return fed(window, MEDIA);
    }

    PackagerRig fed(LiveWindow window, SyntheticStream media) {
        PackagerRig rig = new PackagerRig(window, memory);
        rig.feed(new Timeline(3, media.tracks(), START_US, START.plusSeconds(110)));
        for (AccessUnit unit : media.units()) {
            long ticks = unit.track().timescale().fromUs(START_US);
            rig.feed(
                    unit.at(
                            unit.track(),
                            unit.dtsTicks() + ticks,
                            unit.compositionTimeOffsetTicks()));
        }
        return rig;
    }

    /** Segments of two seconds, the last of which ends at a media time. */
    EarlierSegments earlier(long first, long last, long endUs) {
        List<EarlierSegments.Stored> stored = new ArrayList<>();
        for (long number = first; number <= last; number++) {
            stored.add(
                    stored(number, number < 103 ? 0 : 1, endUs - (last + 1 - number) * 2_000_000));
        }
        return earlier(stored);
    }

    EarlierSegments earlier(List<EarlierSegments.Stored> stored) {
        return new EarlierSegments(
                stored,
                Map.of(0, folder.resolve("init0.mp4"), 1, folder.resolve("init1.mp4")),
                file -> {
                    asked.add(file);
                    switch (file.getFileName().toString()) {
                        case "s101-0.m4s" -> throw new MediaAwayException("S3 does not answer");
                        case "s102-0.m4s" -> throw new NoSuchFileException("s102");
                        default -> {}
                    }
                });
    }

    EarlierSegments.Stored stored(long number, int init, long startUs) {
        return stored(number, init, startUs, 2_000_000);
    }

    EarlierSegments.Stored stored(long number, int init, long startUs, long durationUs) {
        return new EarlierSegments.Stored(
                new VodPlaylist.Entry(
                        number,
                        init,
                        startUs,
                        START.plusNanos(startUs * 1_000),
                        durationUs,
                        /* sizeBytes= */ 1_000),
                new MediaBody.FileRange(
                        folder.resolve("s" + number + "-" + init + ".m4s"), 16, 1_000));
    }

    static List<String> findings(String... playlists) {
        ConformanceChecker checker = new ConformanceChecker();
        for (String text : playlists) {
            checker.whole(text);
        }
        return checker.findings().stream().map(Object::toString).toList();
    }
}
