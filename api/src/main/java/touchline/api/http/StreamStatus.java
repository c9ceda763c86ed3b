package touchline.api.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** {@code status} of a live stream. ACTIVE is never stored: it means that a session runs. */
enum StreamStatus {
    IDLE,
    ACTIVE,
    DISABLE;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<StreamStatus> of(String wireName) {
        return Arrays.stream(values()).filter(s -> s.wireName().equals(wireName)).findFirst();
    }
}
