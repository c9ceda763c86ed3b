package touchline.benchmarks.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BareAnswersTest {
    private static final int WAITERS = 40;

    @Test
    void allViewers_afterTheLastRequest_areAnsweredInEachRound() throws Exception {
        try (BareAnswers bare = BareAnswers.start(ByteBuffer.allocate(7000), WAITERS);
                WaiterPool pool = WaiterPool.connect(bare.address(), WAITERS)) {
            for (int round = 0; round < 3; round++) {
                pool.request(bare.address());

                assertEquals(WAITERS, pool.answers(Duration.ofSeconds(20)).length);
            }
            assertEquals(0, pool.failed());
            assertTrue(bare.cpuSeconds() > 0);
        }
    }
}
