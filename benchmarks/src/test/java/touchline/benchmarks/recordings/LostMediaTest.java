package touchline.benchmarks.recordings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.benchmarks.recordings.ListedMedia.Listed;
import touchline.benchmarks.recordings.LostMedia.Loss;
import touchline.benchmarks.recordings.LostMedia.Recorded;

/** A stream with segments of 4 s, whose owner is killed. */
class LostMediaTest {
    private static final Takeover AT_14 = new Takeover("stream", us(14), "KILL");

    private final List<Listed> listed = new ArrayList<>();
    private final List<Recorded> recorded = new ArrayList<>();

    private static long us(double seconds) {
        return Math.round(seconds * 1e6);
    }

    private static Span span(double from, double to) {
        return new Span(us(from), us(to));
    }

    private void list(long number, double from, double to) {
        listed.add(new Listed(number, span(from, to)));
    }

    private void record(String asset, double from, double to) {
        recorded.add(new Recorded(asset, span(from, to)));
    }

    private LostMedia lost() {
        return new LostMedia(listed, recorded);
    }

    /** Numbers 0 to 2 are complete, 3 grows, and the next owner begins with 6. */
    private void listTakeover() {
        list(0, 0, 4);
        list(1, 4, 8);
        list(2, 8, 12);
        list(3, 12, 13.5);
        list(6, 20, 24);
    }

    @Test
    void segmentThatGrew_isLost_inOneAsset() {
        listTakeover();
        record("a", 0, 4);
        record("a", 4, 8);
        record("a", 8, 12);
        record("a", 20, 24);

        Loss loss = lost().losses(List.of(AT_14)).getFirst();

        assertTrue(loss.isOneAsset());
        assertEquals(new Loss(AT_14, Optional.of("a"), Optional.of("a"), us(2), us(1.5), 1), loss);
        assertEquals(us(12), lost().assetTimeUs(loss));
        assertEquals(0, lost().missingBehindUs(us(14)));
    }

    @Test
    void uploadUnderWay_isLostToo() {
        listTakeover();
        record("a", 0, 4);
        record("a", 4, 8);
        record("a", 20, 24);

        Loss loss = lost().losses(List.of(AT_14)).getFirst();

        assertEquals(us(6), loss.sentUs());
        assertEquals(us(5.5), loss.listedUs());
        assertEquals(2, loss.listedSegments());
    }

    @Test
    void restOfADiskThatCameBack_isNotLost_andTheOtherAssetIsTheOneThatGoesOn() {
        listTakeover();
        record("a", 0, 4);
        record("a", 4, 8);
        record("rest", 8, 12);
        record("rest", 12, 13.98);
        record("a", 20, 24);

        Loss loss = lost().losses(List.of(AT_14)).getFirst();

        assertTrue(loss.isOneAsset());
        assertEquals(us(0.02), loss.sentUs());
        assertEquals(0, loss.listedUs());
        assertEquals(us(8), lost().assetTimeUs(loss));
    }

    @Test
    void anotherAssetBehindTheTakeover_isNoneThatGoesOn() {
        listTakeover();
        record("a", 0, 12);
        record("b", 20, 24);

        Loss loss = lost().losses(List.of(AT_14)).getFirst();

        assertFalse(loss.isOneAsset());
        assertEquals(Optional.of("a"), loss.before());
        assertEquals(Optional.of("b"), loss.after());
    }

    @Test
    void listedMediaThatIsNowhere_countsForTheNextTakeover_orNone() {
        listTakeover();
        list(7, 24, 28);
        list(8, 28, 32);
        record("a", 0, 4);
        record("a", 8, 13.5);
        record("a", 20, 28);

        assertEquals(us(4), lost().losses(List.of(AT_14)).getFirst().listedUs());
        assertEquals(us(4), lost().missingBehindUs(us(14)));
    }

    @Test
    void roundingOfDates_isNoLoss() {
        list(0, 0, 4.001);
        list(1, 4.001, 8);
        record("a", 0, 4);
        record("a", 4.002, 7.99);

        assertEquals(0, lost().missingBehindUs(Long.MIN_VALUE));
        assertEquals(us(4), lost().medianSegmentUs());
    }

    @Test
    void holes_ofListedMedia_areFoundByNumberAndDate() {
        ListedMedia media = new ListedMedia();
        listTakeover();
        media.add("stream", 4, listed);
        media.add("stream", 4, List.of(new Listed(3, span(12, 16))));

        assertEquals(4, media.targetDurationS("stream"));
        assertEquals(6, media.newestNumber("stream"));
        assertEquals(List.of(), media.holes("stream", span(0, 16), 0));
        assertEquals(
                List.of("segment 6 follows 3 after 4.000 s"),
                media.holes("stream", span(0, 30), 0));
    }
}
