package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A receiver of events, without its secret. Immutable.
 *
 * @param description free text of the client; empty where none was given
 * @param disabled time and reason of the disabling; empty: it is enabled
 * @param failingSince first failure since the last success
 * @param createdAt cut to milliseconds
 */
public record WebhookEndpoint(
        String id,
        String url,
        String description,
        EventFilter filter,
        Optional<Disabled> disabled,
        Optional<Instant> failingSince,
        Instant createdAt) {
    private static final int RANDOM_BITS = 96;

    /** Reason of a disabled endpoint. */
    public enum Reason {
        /** A client has disabled it. */
        REQUESTED,
        /** It answered 410. */
        GONE,
        /** It failed for days. */
        FAILING;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<Reason> of(String wireName) {
            return WireNames.find(Reason.class, wireName);
        }
    }

    /**
     * @param at cut to milliseconds
     */
    public record Disabled(Reason reason, Instant at) {
        public Disabled {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    public WebhookEndpoint {
        failingSince = failingSince.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A new identifier; not secret. */
    public static String newId() {
        return "whk_" + RandomText.ofBits(RANDOM_BITS);
    }

    public boolean enabled() {
        return disabled.isEmpty();
    }

    public WebhookEndpoint withUrl(String value) {
        return new WebhookEndpoint(
                id, value, description, filter, disabled, failingSince, createdAt);
    }

    public WebhookEndpoint withDescription(String value) {
        return new WebhookEndpoint(id, url, value, filter, disabled, failingSince, createdAt);
    }

    public WebhookEndpoint withFilter(EventFilter value) {
        return new WebhookEndpoint(id, url, description, value, disabled, failingSince, createdAt);
    }

    public WebhookEndpoint failing(Optional<Instant> since) {
        return new WebhookEndpoint(id, url, description, filter, disabled, since, createdAt);
    }

    /** Enables it and resets its failures. */
    public WebhookEndpoint enable() {
        return new WebhookEndpoint(
                id, url, description, filter, Optional.empty(), Optional.empty(), createdAt);
    }

    public WebhookEndpoint disable(Reason reason, Instant at) {
        return new WebhookEndpoint(
                id,
                url,
                description,
                filter,
                Optional.of(new Disabled(reason, at)),
                failingSince,
                createdAt);
    }
}
