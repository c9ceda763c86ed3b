package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.testing.LogLines;

final class RefusalsTest {
    private final LogLines log = LogLines.of(Refusals.class);
    private final AtomicLong nowNs = new AtomicLong(7);
    private final RtmpCounters counters = new RtmpCounters();
    private final Refusals refusals = new Refusals(counters, nowNs::get);

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void refusals_flood_areCountedAndTheirLinesLimited() {
        for (int i = 0; i < 1_000; i++) {
            refusals.publisher(
                    Refusal.BAD_NAME,
                    "192.0.2.1:5" + i,
                    "encoder",
                    new RtmpReplies.Status(1, true, "NetStream.Publish.BadName", "Unknown key."));
            refusals.connection(Refusal.MALFORMED, "192.0.2.1:6" + i, "no handshake");
        }

        assertEquals(1_000, counters.refused(Refusal.BAD_NAME));
        assertEquals(1_000, counters.refused(Refusal.MALFORMED));
        assertEquals(Refusals.LINES_PER_SECOND, log.texts().size());
    }

    @Test
    void refusals_afterFlood_lineSaysHowManyAreMissing() {
        for (int i = 0; i < 30; i++) {
            refusals.connection(Refusal.MALFORMED, "192.0.2.1:6" + i, "no handshake");
        }
        nowNs.addAndGet(1_000_000_000L);
        refusals.connection(Refusal.MALFORMED, "192.0.2.1:7", "no handshake");

        List<String> lines = log.texts();
        assertTrue(lines.contains("20 refusals are not in the log"), lines.toString());
        assertEquals("peer=192.0.2.1:7 closed: no handshake", lines.getLast());
    }
}
