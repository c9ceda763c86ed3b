package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DeliveryOutcome.Next;

/** Outcomes that reach the database after the first try to store them has failed. */
final class DeliveryResultWriterTest {
    private static final DeliveryOutcome OUTCOME =
            new DeliveryOutcome(
                    "dlv_1",
                    Next.SUCCEEDED,
                    1,
                    Instant.EPOCH,
                    new DeliveryAttempt(
                            1,
                            Instant.EPOCH,
                            Duration.ZERO,
                            OptionalInt.of(200),
                            Optional.empty(),
                            "",
                            Optional.empty(),
                            Optional.empty()));

    @Test
    void outcome_afterAnError_isStored() throws Exception {
        List<DeliveryOutcome> stored = new CopyOnWriteArrayList<>();
        AtomicBoolean failed = new AtomicBoolean();
        try (DeliveryResultWriter writer =
                new DeliveryResultWriter(
                        "wh_1",
                        outcomes -> {
                            if (!failed.getAndSet(true)) {
                                throw new LinkageError("class missing");
                            }
                            stored.addAll(outcomes);
                        })) {
            writer.write(OUTCOME);
        }

        assertEquals(List.of(OUTCOME), stored);
    }
}
