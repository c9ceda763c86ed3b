package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** A window with its packager's side and its viewers' side. */
abstract class WindowCase {
    static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(500));
    static final OptionalInt WHOLE = OptionalInt.empty();

    final CountedMemory memory = new CountedMemory();
    LiveWindow window = window(LatencyProfile.standard(), false, 1 << 20);
    long msn = 100;
    int init;

    /** The next part is expected to start the next segment. */
    boolean due;

    private int part;
    private long atUs;

    @AfterEach
    void everyBlockIsGivenBack() {
        window.close();
        assertEquals(0, memory.liveBlocks());
    }

    LiveWindow window(LatencyProfile profile, boolean recorded, long memoryBytes) {
        return new LiveWindow(
                PackagerRig.settings(profile, 100, recorded), memory, memoryBytes, Runnable::run);
    }

    void begin() {
        MediaBlock bytes = memory.copy("init".getBytes(StandardCharsets.UTF_8));
        window.begin(init, TestMedia.timeline(init, 0, TestMedia.VIDEO, TestMedia.AUDIO), bytes, 0);
        bytes.release();
    }

    void segment(int parts) {
        for (int i = 0; i < parts; i++) {
            part();
        }
        seal();
    }

    void part() {
        long us = window.settings().profile().partTargetUs();
        MediaBlock block = memory.allocate(10);
        PartSink.FinishedPart finished =
                new PartSink.FinishedPart(msn, part, atUs, us, part == 0, block);
        long segmentStartUs = atUs - part * us;
        window.add(finished, init, TestMedia.START.plusNanos(segmentStartUs * 1_000), due);
        block.release();
        part++;
        atUs += us;
    }

    void seal() {
        window.seal(6, window.settings().profile().partTargetUs(), 30);
        msn++;
        part = 0;
    }

    CompletableFuture<Boolean> when(long mediaSequence, OptionalInt wanted) {
        return window.whenAvailable(mediaSequence, wanted).toCompletableFuture();
    }

    CompletableFuture<Boolean> whenPart(long mediaSequence, int wanted) {
        return window.whenPart(mediaSequence, wanted).toCompletableFuture();
    }

    Optional<RenderedPlaylist> playlist(PlaylistKind kind) {
        return window.mediaPlaylist(kind).toCompletableFuture().join();
    }

    String text(PlaylistKind kind) {
        RenderedPlaylist text = playlist(kind).orElseThrow();
        String plain = StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
        text.release();
        return plain;
    }
}
