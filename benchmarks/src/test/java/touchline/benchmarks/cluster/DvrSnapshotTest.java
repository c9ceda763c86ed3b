package touchline.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.api.Test;

class DvrSnapshotTest {
    private static final URI ADDRESS = URI.create("http://127.0.0.1/id/session/media.m3u8?dvr=1");

    @Test
    void runningSession_isEnded_withoutGapsAndParts() {
        String playlist =
                """
                #EXTM3U
                #EXT-X-TARGETDURATION:4
                #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES
                #EXT-X-MEDIA-SEQUENCE:7
                #EXT-X-MAP:URI="init0.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:00.000Z
                #EXTINF:4.000000,
                s7.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:04.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                s8.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="init1.mp4"
                #EXT-X-PART:DURATION=1.0,URI="s9.0.m4s"
                #EXTINF:3.000000,
                s9.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:11.000Z
                #EXT-X-PART:DURATION=1.0,URI="s10.0.m4s"
                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s10.1.m4s"
                """;

        assertEquals(
                """
                #EXTM3U
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:7
                #EXT-X-MAP:URI="http://127.0.0.1/id/session/init0.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-23T12:00:00.000Z
                #EXTINF:4.000000,
                http://127.0.0.1/id/session/s7.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="http://127.0.0.1/id/session/init1.mp4"
                #EXTINF:3.000000,
                http://127.0.0.1/id/session/s9.m4s
                #EXT-X-ENDLIST
                """,
                DvrSnapshot.ended(playlist, ADDRESS));
    }
}
