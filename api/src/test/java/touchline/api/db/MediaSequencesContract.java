package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.StreamDefinition;
import touchline.media.StreamId;

/** Contract of {@link MediaSequences} on any database. */
abstract class MediaSequencesContract {
    private MediaSequences sequences;
    private StreamId stream;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM live_streams"));
        StreamDefinition definition = Samples.stream();
        new StreamRepository(database(), Samples.vault()).create(definition);
        stream = definition.id();
        sequences = new MediaSequences(database());
    }

    private MediaSequences.Block reserve(int count) {
        return sequences.reserve(stream, count).orElseThrow();
    }

    @Test
    void reserve_oneAfterTheOther_blocksAdjoin() {
        assertEquals(new MediaSequences.Block(0, 100), reserve(100));
        assertEquals(new MediaSequences.Block(100, 101), reserve(1));
        assertEquals(new MediaSequences.Block(101, 201), reserve(100));
    }

    @Test
    void reserve_unknownStream_isEmpty() {
        assertEquals(Optional.empty(), sequences.reserve(new StreamId("str_none"), 10));
    }

    @Test
    void reserve_badCount_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> sequences.reserve(stream, 0));
        assertThrows(IllegalArgumentException.class, () -> sequences.reserve(stream, -1));
        assertThrows(IllegalArgumentException.class, () -> sequences.reserve(stream, 1_000_001));
    }

    @Test
    void reserve_manyAtOnce_noNumberTwice() throws Exception {
        List<Callable<MediaSequences.Block>> reservations = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int count = 1 + i % 7;
            reservations.add(() -> reserve(count));
        }

        List<MediaSequences.Block> blocks = new ArrayList<>(Together.run(reservations));

        blocks.sort(Comparator.comparingLong(MediaSequences.Block::start));
        long next = 0;
        for (MediaSequences.Block block : blocks) {
            assertEquals(next, block.start());
            next = block.end();
        }
        assertEquals(next, reserve(1).start());
    }

    @Test
    void settle_cleanEnd_unusedNumbersComeAgain() {
        MediaSequences.Block block = reserve(100);

        assertTrue(sequences.settle(stream, block, 37));

        assertEquals(37, reserve(10).start());
    }

    @Test
    void settle_nextSessionHasStarted_changesNothing() {
        MediaSequences.Block old = reserve(100);
        reserve(100);

        assertFalse(sequences.settle(stream, old, 37));

        assertEquals(200, reserve(1).start());
    }

    @Test
    void settle_twice_neverGoesBehindWhatIsUsed() {
        MediaSequences.Block first = reserve(100);
        sequences.settle(stream, first, 40);
        MediaSequences.Block second = reserve(100);

        assertFalse(sequences.settle(stream, first, 20));
        assertTrue(sequences.settle(stream, second, 140));

        assertEquals(140, reserve(1).start());
    }

    @Test
    void settle_outsideTheBlock_isRefused() {
        MediaSequences.Block block = reserve(100);

        assertThrows(IllegalArgumentException.class, () -> sequences.settle(stream, block, 101));
        assertThrows(IllegalArgumentException.class, () -> sequences.settle(stream, block, -1));
    }
}
