package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.media.SessionId;
import touchline.packager.thumbnail.Asked.Moment;
import touchline.packager.thumbnail.KeyFrame.PictureId;

final class KeptPicturesTest {
    private static final SessionId SESSION = new SessionId("ses");
    private static final int EACH = 1000 + KeptPictures.OVERHEAD_BYTES;

    private final KeptPictures kept = new KeptPictures(3 * EACH);

    private static PictureId id(int index) {
        return new PictureId(SESSION, 7, index, 640);
    }

    private static ThumbnailResult picture(int bytes) {
        return new ThumbnailResult.Made(
                new Thumbnail(MemorySegment.ofArray(new byte[bytes]), /* contrast= */ 50));
    }

    @Test
    void keep_beyondTheLimit_dropsWhatWasAskedForLongestAgo() {
        for (int i = 0; i < 3; i++) {
            kept.keep(id(i), picture(1000));
        }
        assertEquals(3 * EACH, kept.bytes());
        assertTrue(kept.picture(id(0)).isPresent());

        kept.keep(id(3), picture(1000));

        assertEquals(Optional.empty(), kept.picture(id(1)));
        assertTrue(kept.picture(id(0)).isPresent(), "was asked for lately");
        assertEquals(3 * EACH, kept.bytes());
    }

    @Test
    void keep_theSameAgain_countsOnce() {
        kept.keep(id(0), picture(1000));
        kept.keep(id(0), picture(500));
        assertEquals(500 + KeptPictures.OVERHEAD_BYTES, kept.bytes());
    }

    @Test
    void keep_moreThanFitsAtAll_keepsNothing() {
        kept.keep(id(0), picture(100_000));
        assertEquals(0, kept.bytes());
        assertEquals(Optional.empty(), kept.picture(id(0)));
    }

    @Test
    void answer_ofADroppedPicture_isNone() {
        Asked asked = new Asked(SESSION, new Moment.At(5), 640);
        kept.answered(asked, id(0));
        assertEquals(Optional.empty(), kept.answer(asked));
        kept.keep(id(0), picture(10));
        assertEquals(kept.picture(id(0)), kept.answer(asked));
    }

    @Test
    void answers_many_areBounded() {
        kept.keep(id(0), picture(10));
        for (int i = 0; i < 5000; i++) {
            kept.answered(new Asked(SESSION, new Moment.At(i), 640), id(0));
        }
        assertEquals(Optional.empty(), kept.answer(new Asked(SESSION, new Moment.At(0), 640)));
        assertTrue(kept.answer(new Asked(SESSION, new Moment.At(4999), 640)).isPresent());
    }
}
