package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/**
 * EXT-X-PROGRAM-DATE-TIME where earlier servers have stored what comes before, and numbers between
 * are lost: see {@link DatedSegments}.
 */
final class TakenOverDatesTest extends TakenOverCase {
    /** 59 frames of 29.97 a second. */
    private static final long DURATION_US = 1_968_633;

    /** Begins before the first segment here. */
    private static final long NEWEST_US = START_US - 4_700_123;

    /**
     * Two takeovers: of a server that is gone, and this one.
     *
     * @param lostBetween numbers without media before the former takeover
     * @param newest number of the newest stored segment; that of the first here is 108
     * @param pauseUs without media before the former takeover
     */
    @ParameterizedTest
    @CsvSource({
        "1, 107, 8000333",
        "1, 106, 8000333",
        "2, 106, 1500777",
        "3, 104, 4000001",
        "0, 105, 2000999"
    })
    void datesAndDurationsAgreeFromEachSegmentOn(int lostBetween, long newest, long pauseUs)
            throws IOException {
        LiveWindow window = resumed();
        List<EarlierSegments.Stored> stored = new ArrayList<>();
        long startUs = NEWEST_US - 3 * DURATION_US;
        for (int i = 0; i < 4; i++) {
            stored.add(stored(newest - 3 + i, 1, startUs + i * DURATION_US, DURATION_US));
        }
        long beforeUs = startUs - 2 * DURATION_US - pauseUs;
        for (int i = 0; i < 4; i++) {
            long number = newest - 4 - lostBetween - i;
            stored.addFirst(stored(number, 0, beforeUs - i * DURATION_US, DURATION_US));
        }
        window.beginning().provide(earlier(stored), /* isAlone= */ true);

        PackagerRig rig = fed(window).run();

        for (PlaylistKind kind : List.of(PlaylistKind.WINDOW, PlaylistKind.FULL)) {
            DatedSegments all = DatedSegments.of(rig.playlist(kind));
            assertEquals(2, all.discontinuities());
            all.assertAgree();
        }
    }
}
