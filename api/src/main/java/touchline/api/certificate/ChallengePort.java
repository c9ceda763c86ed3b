package touchline.api.certificate;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/** The listener that answers HTTP-01 challenges. */
@FunctionalInterface
public interface ChallengePort {
    /**
     * Listens until the result is closed.
     *
     * @param answers the key authorization of a token (RFC 8555, 8.3); empty for an unknown one;
     *     called by any thread
     * @throws IOException if the port cannot be bound
     */
    AutoCloseable open(Function<String, Optional<String>> answers) throws IOException;
}
