package touchline.api.vod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.egress.EgressException;
import touchline.api.egress.EgressFailures;
import touchline.api.storage.StorageFailures;

/** Error codes for clients, and whether a task is retried. */
final class TaskFailureTest {
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
}
