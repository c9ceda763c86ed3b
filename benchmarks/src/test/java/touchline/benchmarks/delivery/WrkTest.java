package touchline.benchmarks.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class WrkTest {
    private static final String CLEAN =
            """
            Running 4s test @ http://127.0.0.1:28080/s0.m3u8
              1 threads and 64 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency     1.70ms  615.56us   9.79ms   86.12%
                Req/Sec    38.14k     4.63k   43.66k    80.00%
              Latency Distribution
                 50%    1.55ms
                 75%    1.77ms
                 90%    2.24ms
                 99%  900.50us
              151768 requests in 4.01s, 178.77MB read
            Requests/sec:  37876.67
            Transfer/sec:     44.62MB
            """;

    @Test
    void parse_cleanRun_hasRequestsSecondsAndLatency() throws IOException {
        assertEquals(new Wrk(151_768, 4.01, 0.9005, 0, 2.5), Wrk.parse(CLEAN, 2.5));
    }

    @Test
    void parse_withErrors_countsAnswersAndSockets_butNoTimeouts() throws IOException {
        String output =
                CLEAN.replace(
                        "Requests/sec",
                        """
                          Socket errors: connect 1, read 20, write 300, timeout 4000
                          Non-2xx or 3xx responses: 50000
                        Requests/sec\
                        """);
        assertEquals(50_321, Wrk.parse(output, 0).errors());
    }

    @Test
    void parse_otherOutput_throwsWithTheOutput() {
        var thrown =
                assertThrows(
                        IOException.class, () -> Wrk.parse("unable to connect to 127.0.0.1:1", 0));
        assertTrue(thrown.toString().contains("unable to connect"), thrown::toString);
    }
}
