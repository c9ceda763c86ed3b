package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DatabaseExceptionTest {
    @ParameterizedTest
    @CsvSource({
        "08006, true", // connection_failure
        "57P01, true", // admin_shutdown
        "55P03, true", // lock_not_available
        "HYT00, true", // H2: timeout of a lock
        "23505, false", // unique_violation
        "42601, false" // syntax_error
    })
    void unavailable_isWhatMayPass(String state, boolean unavailable) {
        SQLException cause = new SQLException("failed", state);

        DatabaseException failure = new DatabaseException("it", new RuntimeException(cause));

        assertEquals(unavailable, failure.isUnavailable());
    }

    @Test
    void emptyPool_isUnavailable_andFailureWithoutCauseIsNot() {
        assertEquals(
                true,
                new DatabaseException("it", new SQLTransientConnectionException()).isUnavailable());
        assertEquals(false, new DatabaseException("it").isUnavailable());
        assertEquals(true, DatabaseException.unavailable("it").isUnavailable());
    }
}
