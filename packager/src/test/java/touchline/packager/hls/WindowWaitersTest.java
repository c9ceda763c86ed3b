package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** Requests that wait for a part or a segment, and their answers. */
final class WindowWaitersTest extends WindowCase {
    @Test
    void whenAvailable_wholeSegment_completesWhenSealed() {
        begin();
        CompletableFuture<Boolean> first = when(100, WHOLE);
        part();
        assertFalse(first.isDone());
        seal();
        assertTrue(first.join());
        assertTrue(when(100, WHOLE).join());
    }

    @Test
    void whenAvailable_lowLatencyPart_completesWithThatPart() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        CompletableFuture<Boolean> second = when(101, OptionalInt.of(1));
        CompletableFuture<Boolean> behindTheLast = when(101, OptionalInt.of(2));
        part();
        assertFalse(second.isDone());
        part();
        assertTrue(second.join());
        seal();
        assertFalse(behindTheLast.isDone());
        part();
        assertTrue(behindTheLast.join(), "part 2 of a segment with two is the next one's first");
    }

    @Test
    void whenAvailable_tooFarAhead_isRefused() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        for (CompletableFuture<Boolean> refused :
                List.of(when(103, WHOLE), when(101, OptionalInt.of(9)))) {
            CompletionException e = assertThrows(CompletionException.class, refused::join);
            assertInstanceOf(IllegalArgumentException.class, e.getCause());
        }
    }

    @Test
    void whenAvailable_endAndClose_releaseWithFalse() {
        begin();
        segment(4);
        CompletableFuture<Boolean> waiting = when(101, WHOLE);
        window.end();
        assertFalse(waiting.join());
        assertFalse(when(102, WHOLE).join());
        window.close();
        assertFalse(when(100, WHOLE).join());
    }

    @Test
    void close_releasesWaitersAndAnswersNothing() {
        begin();
        segment(4);
        CompletableFuture<Boolean> waiting = when(101, WHOLE);
        window.close();
        assertFalse(waiting.join());
        assertEquals(Optional.empty(), window.segment(100));
        assertEquals(Optional.empty(), window.initSegment(0));
        assertEquals(Optional.empty(), playlist(PlaylistKind.WINDOW));
        segment(4);
        assertEquals(0, memory.liveBlocks());
    }

    @Test
    void whenAvailable_nextSegmentsFirstPart_waitsWhileTheSegmentGrows() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        part();
        CompletableFuture<Boolean> reload = when(102, OptionalInt.of(0));
        CompletableFuture<Boolean> hinted = whenPart(102, 0);
        seal();
        assertFalse(reload.isDone());
        assertFalse(hinted.isDone());
        part();
        assertTrue(reload.join());
        assertTrue(hinted.join());
    }

    @Test
    void whenPart_thatNeverComes_isRefusedWhenItsSegmentIsSealed() {
        window = window(LOW, false, 1 << 20);
        begin();
        segment(4);
        part();
        CompletableFuture<Boolean> never = whenPart(101, 1);
        CompletableFuture<Boolean> reload = when(101, OptionalInt.of(1));
        assertFalse(never.isDone());
        seal();
        assertFalse(never.join());
        assertFalse(reload.isDone(), "a reload waits for what comes in its place");
        assertFalse(whenPart(101, 1).join());
        assertFalse(whenPart(99, 0).join());
        assertTrue(whenPart(101, 0).join());
        assertThrows(CompletionException.class, () -> whenPart(105, 0).join());
        window.end();
        assertFalse(reload.join());
        assertFalse(whenPart(102, 0).join());
    }

    @Test
    void whenPart_whereNoneAreListed_doesNotWait() {
        begin();
        segment(4);
        part();
        assertTrue(whenPart(101, 0).join());
        assertFalse(whenPart(101, 1).join());
    }

    @Test
    void whenAvailable_cancelledByOne_isKeptForTheOthers() {
        begin();
        segment(4);
        CompletableFuture<Boolean> gone = when(101, WHOLE);
        CompletableFuture<Boolean> stays = when(101, WHOLE);
        gone.cancel(false);
        segment(4);
        assertTrue(stays.join());
    }

    /** The playlist in the answer to a blocking reload must list the part. */
    @Test
    void whenAvailable_whileThePlaylistIsBeingMade_waitsForIt() {
        List<CompletableFuture<Boolean>> asked = new ArrayList<>();
        MediaMemory slow =
                sizeBytes -> {
                    if (sizeBytes > 100 && asked.isEmpty() && msn == 101) {
                        asked.add(when(101, OptionalInt.of(0)));
                        assertFalse(asked.getFirst().isDone());
                        assertTrue(whenPart(101, 0).join(), "its bytes are there");
                    }
                    return memory.allocate(sizeBytes);
                };
        window =
                new LiveWindow(PackagerRig.settings(LOW, 100, false), slow, 1 << 20, Runnable::run);
        begin();
        segment(4);
        part();
        assertTrue(asked.getFirst().join());
    }

    /** With media that comes in bursts the next segment may be seconds away. */
    @Test
    void whenAvailable_whileTheSealIsBeingShown_doesNotWaitForTheNextSegment() {
        List<CompletableFuture<Boolean>> asked = new ArrayList<>();
        boolean[] sealing = {false};
        MediaMemory slow =
                sizeBytes -> {
                    if (sealing[0] && asked.isEmpty()) {
                        asked.add(when(101, OptionalInt.of(0)));
                    }
                    return memory.allocate(sizeBytes);
                };
        window =
                new LiveWindow(PackagerRig.settings(LOW, 100, false), slow, 1 << 20, Runnable::run);
        begin();
        segment(4);
        part();
        sealing[0] = true;
        seal();
        assertTrue(asked.getFirst().isDone());
        assertTrue(asked.getFirst().join());
    }
}
