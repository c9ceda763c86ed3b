package touchline.benchmarks.caches;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class ReceivedPartsTest {
    private static final int MS = 1_000_000;

    private final ReceivedParts server = new ReceivedParts();
    private final ReceivedParts players = new ReceivedParts();

    @Test
    void comparison_ofPlayersThatReceivedAll_hasTheirDelays() {
        server.add("s1.1", 100 * MS, 10);
        players.add("s1.1", 101 * MS, 10);
        players.add("s1.1", 103 * MS, 10);

        ReceivedParts.Comparison compared = players.against(server, 2, _ -> true);

        assertEquals(1, compared.parts());
        assertEquals(0, compared.missing() + compared.repeated() + compared.differing());
        assertEquals(3, compared.delayMs().max());
        assertEquals(2, compared.delayMs().count());
    }

    @Test
    void comparison_ofPartsThatAreMissingRepeatedOrOther_countsThem() {
        server.add("s1.1", 100 * MS, 10);
        server.add("s1.2", 200 * MS, 20);
        server.add("s1.3", 300 * MS, 30);
        players.add("s1.1", 101 * MS, 10);
        players.add("s1.2", 201 * MS, 20);
        players.add("s1.2", 202 * MS, 19);
        players.add("s1.2", 203 * MS, 20);

        ReceivedParts.Comparison compared = players.against(server, 2, _ -> true);

        assertEquals(3, compared.parts());
        assertEquals(1 + 2, compared.missing());
        assertEquals(1, compared.repeated());
        assertEquals(1, compared.differing());
    }

    @Test
    void comparison_ofATime_leavesOutOtherParts() {
        server.add("s1.1", 100 * MS, 10);
        server.add("s1.2", 200 * MS, 20);
        players.add("s1.2", 201 * MS, 20);

        ReceivedParts.Comparison compared = players.against(server, 1, ns -> ns >= 150 * MS);

        assertEquals(1, compared.parts());
        assertEquals(0, compared.missing());
        assertEquals("s1.2", server.newest());
        assertEquals(0, players.receivers("s1.1"));
        assertEquals(1, players.receivers("s1.2"));
    }
}
