package touchline.api.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import touchline.api.egress.EgressException;

/** Mapping of a connection's failure that the SDK has wrapped. */
final class S3FailuresTest {
    @ParameterizedTest
    @CsvSource({
        "REFUSED, REFUSED",
        "UNRESOLVED, UNRESOLVED",
        "UNREACHABLE, FAILED",
        "TIMEOUT, FAILED",
        "TLS, FAILED",
        "BROKEN, FAILED"
    })
    void connection_failed_keepsItsKind(EgressException.Kind kind, StorageException.Kind expected) {
        StorageException failure =
                S3Failures.of(
                        SdkClientException.create("wrapped", new EgressException(kind, "why")));

        assertEquals(expected, failure.kind());
        assertEquals("endpoint", failure.setting());
        assertEquals("why", failure.getMessage());
    }
}
