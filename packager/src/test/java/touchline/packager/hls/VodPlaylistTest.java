package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The playlist of a recording that grows. */
final class VodPlaylistTest {
    /** RFC 8216, 6.2.1: the target duration of a playlist never changes. */
    @ParameterizedTest
    @CsvSource({
        "standard, 4.0 4.4, 6",
        "standard, 7.6 8.4 8.0, 8",
        "standard, 11.7 12.4, 12",
        "low, 2.0 6.4, 6"
    })
    void targetDuration_ofAGrowingRecording_neverChanges(
            String mode, String seconds, int expectedS) {
        List<VodPlaylist.Entry> entries = new ArrayList<>();
        for (String each : seconds.split(" ", -1)) {
            long durationUs = Math.round(Double.parseDouble(each) * 1e6);
            entries.add(
                    new VodPlaylist.Entry(entries.size(), 0, 0, Instant.EPOCH, durationUs, 1_000));
            String text = new VodPlaylist(entries, /* complete= */ false).text();
            assertTrue(
                    text.contains("#EXT-X-TARGETDURATION:" + expectedS + "\n"), mode + ": " + text);
        }
    }
}
