package touchline.api.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One request to an endpoint and its answer. Immutable; texts are bounded.
 *
 * @param number from 1 on
 * @param httpStatus empty without an answer
 * @param error the reason of a failure; empty after success
 * @param requestHead request line and headers, without secrets
 * @param responseHead status line and headers; empty without an answer
 * @param responseBody its beginning
 */
public record DeliveryAttempt(
        int number,
        Instant at,
        Duration took,
        OptionalInt httpStatus,
        Optional<String> error,
        String requestHead,
        Optional<String> responseHead,
        Optional<String> responseBody) {}
