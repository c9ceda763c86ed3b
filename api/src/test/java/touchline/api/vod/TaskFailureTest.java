package touchline.api.vod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.api.egress.EgressException;
import touchline.api.egress.EgressFailures;
import touchline.api.storage.StorageFailures;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerException.Failure;
import touchline.media.worker.WorkerFailures;

/** Error codes for clients, and whether a task is retried. */
final class TaskFailureTest {
    private static final String BROKEN = "invalid input file: it broke the decoder";
    private static final String STARVED = "encoding needs more memory than it is allowed";

    @ParameterizedTest
    @CsvSource({
        "REFUSED, 0, 1002, false",
        "UNRESOLVED, 0, 1001, true",
        "UNREACHABLE, 0, 1001, true",
        "BROKEN, 0, 1001, true",
        "TLS, 0, 1001, false",
        "STATUS, 0, 1001, false",
        "STATUS, 404, 1001, false",
        "STATUS, 503, 1001, true",
        "TIMEOUT, 0, 1007, true",
        "TOO_LARGE, 0, 1008, false"
    })
    void input_notFetched_hasItsCode(
            EgressException.Kind kind, int status, int code, boolean passing) {
        EgressException cause =
                status == 0 ? new EgressException(kind, "no") : EgressFailures.ofStatus(status);
        TaskFailure failure = TaskFailure.of(cause);

        assertEquals(code, failure.error().code());
        assertEquals("input: " + cause.getMessage(), failure.error().message());
        assertEquals(passing, failure.isPassing());
        assertSame(cause, failure.getCause());
    }

    @Test
    void storage_refused_isNotTriedAgain() {
        TaskFailure failure = TaskFailure.of(StorageFailures.refused("bucket", "gone"));

        assertEquals(1005, failure.error().code());
        assertEquals("storage: gone", failure.error().message());
        assertFalse(failure.isPassing());
    }

    @Test
    void storage_withoutAnAddressNow_isTriedAgain() {
        TaskFailure failure = TaskFailure.of(StorageFailures.unresolved());

        assertEquals(1006, failure.error().code());
        assertTrue(failure.isPassing());
    }

    @Test
    void disk_thatFails_isTriedAgain() {
        IOException cause = new IOException("No space left on device");

        TaskFailure full = TaskFailure.ofDisk(cause, /* full= */ true, "output");
        TaskFailure broken = TaskFailure.ofDisk(cause, /* full= */ false, "output");

        assertEquals(1008, full.error().code());
        assertEquals("output: no disk space", full.error().message());
        assertEquals(1099, broken.error().code());
        assertEquals("output: an error of this server's disk", broken.error().message());
        assertTrue(full.isPassing() && broken.isPassing());
        assertEquals(
                "1008 output: no disk space (java.io.IOException: No space left on device)",
                full.logText());
        assertEquals("1001 gone", TaskFailure.passing(1001, "gone").logText());
    }

    static Stream<Arguments> workers() {
        return Stream.of(
                Arguments.of(new Failure.Reported(1003, "no media"), 1003, "no media", false),
                // Not one of the codes that clients know.
                Arguments.of(new Failure.Reported(7, "odd"), 1099, "odd", false),
                Arguments.of(
                        new Failure.TimedOut(Duration.ofMinutes(30)),
                        1007,
                        "encoding took longer than 30 minutes",
                        false),
                Arguments.of(new Failure.Canceled(), 1099, "encoding was stopped", true),
                Arguments.of(new Failure.Unreadable("no JSON"), 1003, BROKEN, false),
                Arguments.of(new Failure.Died(139, List.of("SIGSEGV"), true), 1003, BROKEN, false),
                Arguments.of(new Failure.Died(137, List.of(), true), 1008, STARVED, false),
                Arguments.of(
                        new Failure.Died(137, List.of(), false),
                        1099,
                        "the encoding process ended before the job began",
                        true),
                Arguments.of(
                        new Failure.Died(
                                1, List.of("There is insufficient memory for the JVM"), true),
                        1008,
                        STARVED,
                        false));
    }

    @ParameterizedTest
    @MethodSource("workers")
    void worker_withoutAResult_hasItsCode(
            Failure failure, int code, String message, boolean passing) {
        WorkerException cause = WorkerFailures.of(failure);

        TaskFailure made = TaskFailure.of(cause);

        assertEquals(code, made.error().code());
        assertEquals(message, made.error().message());
        assertEquals(passing, made.isPassing());
        assertSame(cause, made.getCause());
    }
}
