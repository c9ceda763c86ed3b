package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.media.SessionId;
import touchline.packager.thumbnail.KeyFrame.FrameId;
import touchline.packager.thumbnail.ThumbnailQuery.Moment;

final class ThumbnailCacheTest {
    private static final SessionId SESSION = new SessionId("ses");
    private static final int EACH = 1000 + ThumbnailCache.OVERHEAD_BYTES;

    private final ThumbnailCache kept = new ThumbnailCache(3 * EACH);

    private static FrameId id(int index) {
        return new FrameId(SESSION, 7, index, 640);
    }

    private static ThumbnailResult frame(int bytes) {
        return new ThumbnailResult.Made(
                new Thumbnail(MemorySegment.ofArray(new byte[bytes]), /* contrast= */ 50));
    }

    @Test
    void keep_beyondTheLimit_dropsWhatWasAskedForLongestAgo() {
        for (int i = 0; i < 3; i++) {
            kept.keep(id(i), frame(1000));
        }
        assertEquals(3 * EACH, kept.bytes());
        assertTrue(kept.frame(id(0)).isPresent());

        kept.keep(id(3), frame(1000));

        assertEquals(Optional.empty(), kept.frame(id(1)));
        assertTrue(kept.frame(id(0)).isPresent(), "was asked for lately");
        assertEquals(3 * EACH, kept.bytes());
    }

    @Test
    void keep_theSameAgain_countsOnce() {
        kept.keep(id(0), frame(1000));
        kept.keep(id(0), frame(500));
        assertEquals(500 + ThumbnailCache.OVERHEAD_BYTES, kept.bytes());
    }

    @Test
    void keep_moreThanFitsAtAll_keepsNothing() {
        kept.keep(id(0), frame(100_000));
        assertEquals(0, kept.bytes());
        assertEquals(Optional.empty(), kept.frame(id(0)));
    }

    @Test
    void answer_ofADroppedFrame_isNone() {
        ThumbnailQuery asked = new ThumbnailQuery(SESSION, new Moment.At(5), 640);
        kept.answered(asked, id(0));
        assertEquals(Optional.empty(), kept.answer(asked));
        kept.keep(id(0), frame(10));
        assertEquals(kept.frame(id(0)), kept.answer(asked));
    }

    @Test
    void answers_many_areBounded() {
        kept.keep(id(0), frame(10));
        for (int i = 0; i < 5000; i++) {
            kept.answered(new ThumbnailQuery(SESSION, new Moment.At(i), 640), id(0));
        }
        assertEquals(
                Optional.empty(), kept.answer(new ThumbnailQuery(SESSION, new Moment.At(0), 640)));
        assertTrue(kept.answer(new ThumbnailQuery(SESSION, new Moment.At(4999), 640)).isPresent());
    }
}
